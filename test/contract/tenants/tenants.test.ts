import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiDocument } from "../../support/api-document.js";
import { type RunningService, startService } from "../../support/service.js";
import { type Position, findPositions } from "./positions.js";
import { createRequest } from "./requests.js";
import { type Filled, fillWorkspace } from "./workspace.js";

const UNKNOWN = "00000000-0000-4000-8000-0000000000ff";
const MARK = "Of-the-other-workspace";
/** Tables that are written in the background, at any time after a request. */
const BACKGROUND_TABLES = ["request_counts"];

const document = ApiDocument.committed();
/** Without the conditions in a group within a group, because the conditions of every group have the same schema. */
const positions = findPositions(document).filter(({ path }) => path[0] !== "filter" || !isGroup(path[3]));

function isGroup(step: string | 0 | undefined): boolean {
  return step === "and" || step === "or";
}

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
async function readOtherRows(): Promise<unknown> {
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
    // Ignores the last use of a key, which is written in the background.
    const texts = found.map((row) => JSON.stringify({ ...row, last_used_time: null }));
    rows[table] = texts.sort();
  }
  return rows;
}

async function sendWithId(position: Position, id: string): Promise<{ status: number; text: string }> {
  const { method, path, body } = createRequest(position, id, own);
  return own.send(method, path, body);
}

/** Removes the parts of a response that always differ: the id with and without dashes, the request id, and times. */
function normalize({ status, text }: { status: number; text: string }, id: string): string {
  const body = text
    .replaceAll(id, "<id>")
    .replaceAll(id.replaceAll("-", ""), "<id>")
    .replace(/"(request_id|last_edited_time|created_time)":"[^"]+"/g, "");
  return `${status} ${body}`;
}

const formatPosition = ({ operation, place, path }: Position): string =>
  `${operation} ${place} ${path.join(".")}`;

// Whether the response is independent of the id: emoji ids are stored unchecked, templates and rows outside of tables are
// refused, `after` must be a sibling, a synced block cannot change its original, and a database cannot be in a database.
const isFixed = ({ operation, path }: Position): boolean =>
  path.includes("custom_emoji") ||
  path.includes("template") ||
  path.join(".") === "after" ||
  (operation === "createPage" && path.includes("table_row")) ||
  (operation === "updateBlock" && path[0] === "synced_block") ||
  (operation === "createDatabase" && path.join(".") === "parent.database_id");
// Whether the id is compared in a filter, where unknown ids match nothing.
const isCondition = ({ path }: Position): boolean => path[0] === "filter";
const isCursor = ({ path }: Position): boolean => path.at(-1) === "start_cursor";

test("finds positions of ids in paths, queries and bodies", () => {
  const count = (place: string): number => positions.filter((position) => position.place === place).length;
  expect(positions.length).toBeGreaterThan(350);
  for (const place of ["path", "query", "body"]) expect(count(place)).toBeGreaterThan(3);
});

describe("an id of another workspace", () => {
  test("gets 404 in every operation and position, and changes nothing in that workspace", async () => {
    const before = await readOtherRows();
    const faults: string[] = [];
    const statuses: Record<string, number> = {};
    let tried = 0;
    for (const position of positions) {
      if (isCursor(position)) continue;
      const unknown = normalize(await sendWithId(position, UNKNOWN), UNKNOWN);
      for (const [kind, id] of [...Object.entries(other.ids), ...Object.entries(other.blocks)]) {
        // Sends block ids of every type only in positions for blocks. A resource can have the name of a block type.
        const isOfType = other.blocks[kind] === id;
        if (isOfType && !position.path.some((step) => String(step).includes("block"))) continue;
        if (kind === "property" && position.path[0] !== "property_id") continue;
        const found = await sendWithId(position, id);
        tried += 1;
        statuses[found.status] = (statuses[found.status] ?? 0) + 1;
        const wanted = isFixed(position) ? Number(unknown.slice(0, 3)) : isCondition(position) ? 200 : 404;
        const isProperty = position.path[0] === "property_id" && found.status === 400;
        if ((found.status !== wanted && !isProperty) || found.text.includes(MARK)) {
          faults.push(
            `${formatPosition(position)} with a ${kind}: ${found.status} ${found.text.slice(0, 200)}`,
          );
        } else if (kind !== "property" && found.status !== 200 && normalize(found, id) !== unknown) {
          faults.push(
            `${formatPosition(position)} with a ${kind} differs from an unknown id: ${found.text.slice(0, 200)} | ${unknown}`,
          );
        }
      }
    }
    console.log(
      `Tenants: ${positions.length} positions, ${tried} requests with ids of another workspace`,
      statuses,
    );
    expect(faults).toEqual([]);
    expect(await readOtherRows()).toEqual(before);
  });

  test("is tested only in positions that accept an id of the same workspace", async () => {
    const never: string[] = [];
    for (const position of positions) {
      if (isCursor(position) || isFixed(position)) continue;
      const seen: string[] = [];
      for (const id of new Set([...Object.values(own.ids), ...Object.values(own.blocks)])) {
        // GET instead of DELETE, which would remove objects that other positions need.
        const { status, text } =
          position.method === "DELETE"
            ? await own.send("GET", createRequest(position, id, own).path)
            : await sendWithId(position, id);
        seen.push(`${status} ${text.slice(0, 160)}`);
        if (status === 200) break;
      }
      if (!seen.some((text) => text.startsWith("200"))) never.push(`${formatPosition(position)}: ${seen[0]}`);
    }
    // A workspace cannot create custom emojis, templates and links to comments.
    const exceptions = /custom_emoji|template|comment_id/;

    expect(never.filter((line) => !exceptions.test(line))).toEqual([]);
  });

  test("returns no data of that workspace as start_cursor, and neither does a cursor of it", async () => {
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
        const { status, text } = await sendWithId(position, id);
        expect([200, 400, 404], `${formatPosition(position)} ${text}`).toContain(status);
        expect(text).not.toContain(MARK);
      }
    }
  });
});
