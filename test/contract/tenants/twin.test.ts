import { copyFileSync } from "node:fs";
import { sql } from "kysely";
import Database from "libsql";
import { expect, onTestFinished, test } from "vitest";
import { startWorkspaceDeletion } from "../../../src/access/workspaces.js";
import { deletePermanently } from "../../../src/operations/delete-permanently.js";
import { emptyTrash } from "../../../src/operations/empty-trash.js";
import { runJob } from "../../../src/operations/jobs/run-job.js";
import type { Store } from "../../../src/storage/engine/store.js";
import { indexTexts } from "../../../src/storage/transfer/index-texts.js";
import { TRANSFER_TABLES } from "../../../src/storage/transfer/transfer-tables.js";
import { createTemporaryPath } from "../../service/storage/open.js";
import { ApiDocument } from "../../support/api-document.js";
import { runUseCaseWithJobs } from "../../support/scope.js";
import { createPageService } from "../../../src/service.js";
import { startService } from "../../support/service.js";
import { findPositions, type Position } from "./positions.js";
import { createRequest } from "./requests.js";
import { createSend, type Filled, fillWorkspace, type Send } from "./workspace.js";

// Ids are unique only within a workspace. A query without the condition on the workspace also finds, counts or changes the rows of
// a workspace with the same ids.

/** Tables with keys that are unique across workspaces, tables that are written in the background, and jobs, which would run. */
const NOT_COPIED = ["api_keys", "members", "invitations", "audit_events", "request_counts", "jobs"];
const tables = TRANSFER_TABLES.filter(
  ({ name, belongsToWorkspace }) => belongsToWorkspace && !NOT_COPIED.includes(name),
);

/** Copies the content of a workspace in one file into another workspace in another file, with the same ids and other texts. */
function copyContent(source: string, from: string, target: string, to: string): void {
  const database = new Database(target);
  database.exec(`ATTACH '${source}' AS source; BEGIN`);
  for (const { name } of tables) {
    // The cast: the statement selects this column.
    const columns = database.prepare(`SELECT name FROM pragma_table_info('${name}')`).all() as {
      name: string;
    }[];
    const values = columns.map((column) =>
      column.name === "workspace_id"
        ? `'${to}'`
        : `replace(replace(${column.name}, 'Own ', 'Twin '), 'own ', 'twin ')`,
    );
    database.exec(`INSERT INTO main.${name} (${columns.map((column) => column.name).join(", ")})
      SELECT ${values.join(", ")} FROM source.${name} WHERE workspace_id = '${from}'`);
  }
  database.exec("COMMIT");
  database.close();
}

/** Reads all rows of a workspace in the copied tables. */
async function readContent(store: Store, workspaceId: string): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const name of [...tables.map((table) => table.name), "page_texts"]) {
    const query = sql`select * from ${sql.table(name)} where workspace_id = ${workspaceId}`;
    rows[name] = (await query.execute(store.read)).rows.map((row) => JSON.stringify(row)).sort();
  }
  rows.page_trigrams = await store.read
    .selectFrom("page_trigrams")
    .innerJoin("page_texts", "page_texts.number", "page_trigrams.rowid")
    .select("page_trigrams.rowid")
    .where("workspace_id", "=", workspaceId)
    .orderBy("page_trigrams.rowid")
    .execute();
  return rows;
}

/** A request and its response. */
interface Exchange {
  readonly request: readonly [method: string, path: string, body?: unknown];
  readonly response: string;
}

/** Whether a position needs a request of its own, as others are the same in each group of a filter and in new pages. */
function isUseful({ method, operation, path }: Position): boolean {
  const [first, second] = path;
  if (first === "filter") return second !== "and" && second !== "or";
  if (operation === "createPage") return first !== "children" && first !== "content";
  // Deletions follow, because they would remove objects that other positions need.
  return method !== "DELETE" && path.at(-1) !== "start_cursor";
}

/** Sends requests of all operations, most of which succeed and use objects of all kinds. */
async function sendRequests(send: Send, own: Filled, childOfToggle: string): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const exchange = async (...request: Exchange["request"]): Promise<boolean> => {
    const { status, text } = await send(...request);
    if (status === 200) exchanges.push({ request, response: text });
    return status === 200;
  };
  const { page, database, target, targetRow, databaseRow, block, user } = own.ids;
  const update = (path: string, body: object) => exchange("PATCH", `/v1/${path}`, body);
  const read = async (): Promise<void> => {
    const parents = [page, own.blocks.table, own.blocks.column_list].map((id) => `blocks/${id}/children`);
    const objects = [`databases/${database}`, `pages/${databaseRow}`, `pages/${targetRow}`];
    for (const path of ["users", "databases", `comments?block_id=${page}`, ...parents, ...objects])
      await exchange("GET", `/v1/${path}`);
    for (const filter of [
      { property: "Name", title: { contains: "title" } },
      { property: "Name", title: { contains: "Twin title" } },
      { property: "Text", rich_text: { is_empty: true } },
      { property: "To", relation: { contains: targetRow } },
      { property: "Who", people: { contains: user } },
      { property: "Whos", rollup: { any: { people: { is_not_empty: true } } } },
    ]) {
      for (const property of ["Name", "Who", "Editor"]) {
        const sorts = [{ property, direction: "descending" }];
        await exchange("POST", `/v1/databases/${database}/query`, { filter, sorts });
      }
    }
  };
  const people = [{ object: "user", id: user }];
  await update(`pages/${targetRow}`, {
    properties: { Who: { people }, Back: { relation: [{ id: databaseRow }] } },
  });
  await update(`pages/${databaseRow}`, {
    properties: { Who: { people }, To: { relation: [{ id: targetRow }] } },
  });
  // Only once, because the order of results depends on times that can be equal after changes.
  for (const query of ["title", "Own", "Twin"]) await exchange("POST", "/v1/search", { query });
  await read();
  for (const position of findPositions(ApiDocument.committed()).filter(isUseful)) {
    for (const id of new Set([...Object.values(own.ids), ...Object.values(own.blocks)])) {
      const { method, path, body } = createRequest(position, id, own);
      if (await exchange(method, path, body)) break;
    }
  }
  await read();
  await update(`databases/${target}`, { properties: { Score: { unique_id: {} }, Who: { name: "People" } } });
  await update(`databases/${database}`, { properties: { Text: { select: {} }, Name: { name: "Title" } } });
  await read();
  await update(`databases/${database}`, { properties: { Text: null, Who: { rich_text: {} }, To: null } });
  await exchange("DELETE", `/v1/blocks/${childOfToggle}`);
  await exchange("DELETE", `/v1/blocks/${block}`);
  await exchange("DELETE", `/v1/blocks/${own.blocks.table}`);
  for (const in_trash of [true, false]) {
    for (const path of [`pages/${databaseRow}`, `databases/${target}`, `pages/${page}`])
      await update(path, { in_trash });
    await read();
  }
  return exchanges;
}

/** Ids of objects, times, and words as long as the ids of properties and options. */
const NEW_VALUE =
  /\b[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=")[\w-]{8}(?=")/g;

/** Replaces values of NEW_VALUE that `known` does not contain, and cursors, which can contain new ids. */
function normalize(response: string, known: string): string {
  return response
    .replace(/"(request_id|next_cursor)":"[^"]+"/g, "")
    .replaceAll(NEW_VALUE, (found) => (known.includes(found) ? found : "new"));
}

test("rows of another workspace with the same ids change no response, and no request changes them", async () => {
  const file = createTemporaryPath();
  const first = await startService({ database: file });
  const own = await fillWorkspace(first, first, "Own");
  const child = { children: [{ divider: {} }] };
  const { text } = await createSend(first.baseUrl, first.key)(
    "PATCH",
    `/v1/blocks/${own.blocks.toggle}/children`,
    child,
  );
  // The cast: the response is a list of blocks.
  const [divider] = (JSON.parse(text) as { readonly results: readonly { readonly id: string }[] }).results;
  await first.service.close();
  const copy = createTemporaryPath();
  copyFileSync(file, copy);
  const open = async (database: string) => {
    const service = await createPageService({ database });
    onTestFinished(() => service.close());
    const baseUrl = `http://127.0.0.1:${await service.listen(0, "127.0.0.1")}`;
    return { service, send: createSend(baseUrl, first.key) };
  };
  const alone = await open(file);
  const exchanges = await sendRequests(alone.send, own, divider?.id ?? "");
  expect(exchanges.length).toBeGreaterThan(200);
  await alone.service.close();

  // The other workspace has the state after all requests, so that its rows differ from those of the first one before them.
  const beside = await open(copy);
  const { store } = beside.service;
  const { workspaceId: twinId } = await beside.service.createKey({ workspaceName: "Twin" });
  copyContent(file, first.workspaceId, copy, twinId);
  await store.writeServiceWide((tx) => indexTexts(tx, [twinId]));
  const known = JSON.stringify(await readContent(store, first.workspaceId));
  const twin = await readContent(store, twinId);
  const differences: string[] = [];
  for (const { request, response } of exchanges) {
    const { text } = await beside.send(...request);
    const [wanted, found] = [response, text].map((each) => normalize(each, known));
    if (found !== wanted) differences.push(`${JSON.stringify(request)}: ${found} instead of ${wanted}`);
  }
  expect(differences).toEqual([]);
  expect(await readContent(store, twinId)).toEqual(twin);

  const actor = { id: own.ids.user ?? "", name: "Ada", type: "account" } as const;
  const remove = (id: string) =>
    runUseCaseWithJobs(store, first.workspaceId, (scope) => deletePermanently(scope, id, actor));
  for (const id of [own.ids.databaseRow ?? "", own.ids.page ?? ""]) {
    expect((await beside.send("PATCH", `/v1/pages/${id}`, { in_trash: true })).status).toBe(200);
    await remove(id);
  }
  expect(await readContent(store, twinId)).toEqual(twin);
  await runUseCaseWithJobs(store, first.workspaceId, (scope) => emptyTrash(scope, actor));
  await runJob(store, (await startWorkspaceDeletion(store, "Test")).job);
  expect(await readContent(store, twinId)).toEqual(twin);
  expect((await readContent(store, first.workspaceId)).pages).toEqual([]);
});
