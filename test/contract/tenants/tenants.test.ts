import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiDocument } from "../../support/api-document.js";
import { type RunningService, startService } from "../../support/service.js";
import { type Position, positionsOf } from "./positions.js";
import { requestWith } from "./requests.js";
import { type Filled, fillWorkspace } from "./workspace.js";

const UNKNOWN = "00000000-0000-4000-8000-0000000000ff";
const MARK = "Of-the-other-workspace";
/** Written in the background, at any time after a request. */
const BACKGROUND_TABLES = ["request_counts"];

const document = ApiDocument.committed();
const positions = positionsOf(document);

let running: RunningService;
let own: Filled;
let other: Filled;

beforeAll(async () => {
  running = await startService();
  own = await fillWorkspace(running, running, "Own");
  other = await fillWorkspace(running, await running.createKey(), MARK);
});
afterAll(() => running.service.close());

/** Reads every row of the other workspace. */
async function rowsOfTheOther(): Promise<unknown> {
  const { read } = running.service.store;
  const tables = (await read.introspection.getTables()).filter(
    ({ name, columns }) =>
      columns.some((column) => column.name === "workspace_id") && !BACKGROUND_TABLES.includes(name),
  );
  expect(tables.length).toBeGreaterThan(10);
  const rows: Record<string, unknown[]> = {};
  for (const { name: table } of tables) {
    const { rows: found } = await sql<object>`
      select * from ${sql.table(table)} where workspace_id = ${other.workspaceId}
    `.execute(read);
    // The last use of a key is written in the background.
    const texts = found.map((row) => JSON.stringify({ ...row, last_used_time: null }));
    rows[table] = texts.sort();
  }
  return rows;
}

async function answer(position: Position, id: string): Promise<{ status: number; text: string }> {
  const { method, path, body } = requestWith(position, id, own);
  return own.send(method, path, body);
}

/** The answer without what differs by chance: the id itself, with dashes and without, and that of the request. */
function comparable({ status, text }: { status: number; text: string }, id: string): string {
  const body = text
    .replaceAll(id, "<id>")
    .replaceAll(id.replaceAll("-", ""), "<id>")
    .replace(/"(request_id|last_edited_time|created_time)":"[^"]+"/g, "");
  return `${status} ${body}`;
}

const nameOf = ({ operation, place, path }: Position): string => `${operation} ${place} ${path.join(".")}`;

// An emoji's id is taken as it is: there are none of a workspace's own. Nobody can make a template. A block
// to come after, and what is synced, is looked for nowhere but in its place; a row is in a table alone. What is synced cannot be changed, and no database
// is in a database, whichever it is.
const isFixed = ({ operation, path }: Position): boolean =>
  path.includes("custom_emoji") ||
  path.includes("template") ||
  path.join(".") === "after" ||
  (operation === "createPage" && path.includes("table_row")) ||
  (operation === "updateBlock" && path[0] === "synced_block") ||
  (operation === "createDatabase" && path.join(".") === "parent.database_id");
// Conditions name ids to compare with; one that nothing has is met by nothing, wherever it is from.
const isCondition = ({ path }: Position): boolean => path[0] === "filter";
const isCursor = ({ path }: Position): boolean => path.at(-1) === "start_cursor";

test("finds positions of ids in paths, queries and bodies", () => {
  const count = (place: string): number => positions.filter((position) => position.place === place).length;
  expect(positions.length).toBeGreaterThan(350);
  for (const place of ["path", "query", "body"]) expect(count(place)).toBeGreaterThan(3);
});

describe("an id of another workspace", () => {
  test("gets 404 in every operation and position, and changes nothing in that workspace", async () => {
    const before = await rowsOfTheOther();
    const faults: string[] = [];
    const statuses: Record<string, number> = {};
    let tried = 0;
    for (const position of positions) {
      if (isCursor(position)) continue;
      const unknown = comparable(await answer(position, UNKNOWN), UNKNOWN);
      for (const [kind, id] of [...Object.entries(other.ids), ...Object.entries(other.blocks)]) {
        // Block ids of every type only where blocks are asked for. A resource can have the name of a type.
        const isOfType = other.blocks[kind] === id;
        if (isOfType && !position.path.some((step) => String(step).includes("block"))) continue;
        if (kind === "property" && position.path[0] !== "property_id") continue;
        const found = await answer(position, id);
        tried += 1;
        statuses[found.status] = (statuses[found.status] ?? 0) + 1;
        const wanted = isFixed(position) ? Number(unknown.slice(0, 3)) : isCondition(position) ? 200 : 404;
        const isProperty = position.path[0] === "property_id" && found.status === 400;
        if ((found.status !== wanted && !isProperty) || found.text.includes(MARK)) {
          faults.push(`${nameOf(position)} with a ${kind}: ${found.status} ${found.text.slice(0, 200)}`);
        } else if (kind !== "property" && found.status !== 200 && comparable(found, id) !== unknown) {
          faults.push(
            `${nameOf(position)} with a ${kind} is told apart: ${found.text.slice(0, 200)} | ${unknown}`,
          );
        }
      }
    }
    console.log(
      `Tenants: ${positions.length} positions, ${tried} requests with ids of another workspace`,
      statuses,
    );
    expect(faults).toEqual([]);
    expect(await rowsOfTheOther()).toEqual(before);
  });

  test("is tested only in positions that accept an id of the own workspace", async () => {
    const never: string[] = [];
    for (const position of positions) {
      if (isCursor(position) || isFixed(position)) continue;
      const seen: string[] = [];
      for (const id of new Set([...Object.values(own.ids), ...Object.values(own.blocks)])) {
        // Deleting would remove objects that the other positions need. It is enough that the id is found.
        const { status, text } =
          position.method === "DELETE"
            ? await own.send("GET", requestWith(position, id, own).path)
            : await answer(position, id);
        seen.push(`${status} ${text.slice(0, 160)}`);
        if (status === 200) break;
      }
      if (!seen.some((text) => text.startsWith("200"))) never.push(`${nameOf(position)}: ${seen[0]}`);
    }
    // Nobody can make an emoji of a workspace's own, a template, a link to a comment.
    const exceptions = /custom_emoji|template|comment_id/;

    expect(never.filter((line) => !exceptions.test(line))).toEqual([]);
  });

  test("and a cursor of that workspace return nothing of it as start_cursor", async () => {
    const cursors = positions.filter(isCursor);
    expect(cursors.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(Object.keys(other.cursors)),
    );
    for (const position of cursors) {
      for (const id of [
        other.ids.block ?? "",
        other.ids.page ?? "",
        other.cursors[position.operation] ?? UNKNOWN,
      ]) {
        const { status, text } = await answer(position, id);
        expect([200, 400, 404], `${nameOf(position)} ${text}`).toContain(status);
        expect(text).not.toContain(MARK);
      }
    }
  });
});
