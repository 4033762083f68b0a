import { copyFileSync, existsSync } from "node:fs";
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

/** Sends requests, and notes the successful ones. */
class Recorder {
  readonly exchanges: Exchange[] = [];
  readonly #own: Filled;
  readonly #send: Send;

  constructor(own: Filled, send: Send) {
    this.#own = own;
    this.#send = send;
  }

  async exchange(...request: Exchange["request"]): Promise<boolean> {
    const { status, text } = await this.#send(...request);
    if (status === 200) this.exchanges.push({ request, response: text });
    return status === 200;
  }

  update(path: string, body: object): Promise<boolean> {
    return this.exchange("PATCH", `/v1/${path}`, body);
  }

  /** Reads objects of all kinds. */
  async read(): Promise<void> {
    const { ids, blocks } = this.#own;
    const parents = [ids.page, blocks.table, blocks.column_list].map((id) => `blocks/${id}/children`);
    const objects = [`databases/${ids.database}`, `pages/${ids.databaseRow}`, `pages/${ids.targetRow}`];
    for (const path of ["users", "databases", `comments?block_id=${ids.page}`, ...parents, ...objects])
      await this.exchange("GET", `/v1/${path}`);
    for (const filter of [
      { property: "Name", title: { contains: "title" } },
      { property: "Name", title: { contains: "Twin title" } },
      { property: "Text", rich_text: { is_empty: true } },
      { property: "To", relation: { contains: ids.targetRow } },
      { property: "Who", people: { contains: ids.user } },
      { property: "Whos", rollup: { any: { people: { is_not_empty: true } } } },
    ]) {
      for (const property of ["Name", "Who", "Editor"]) {
        const sorts = [{ property, direction: "descending" }];
        await this.exchange("POST", `/v1/databases/${ids.database}/query`, { filter, sorts });
      }
    }
  }

  /** Sends a request of each operation for each position of an id. Most add something. */
  async addObjects(): Promise<void> {
    const { ids, blocks } = this.#own;
    // Only once, because the order of results depends on times that can be equal after changes.
    for (const query of ["title", "Own", "Twin"]) await this.exchange("POST", "/v1/search", { query });
    await this.read();
    const people = [{ object: "user", id: ids.user }];
    const [back, to] = [ids.databaseRow, ids.targetRow].map((id) => ({ relation: [{ id }] }));
    await this.update(`pages/${ids.targetRow}`, { properties: { Who: { people }, Back: back } });
    await this.update(`pages/${ids.databaseRow}`, { properties: { Who: { people }, To: to } });
    for (const position of findPositions(ApiDocument.committed()).filter(isUseful)) {
      for (const id of new Set([...Object.values(ids), ...Object.values(blocks)])) {
        const { method, path, body } = createRequest(position, id, this.#own);
        if (await this.exchange(method, path, body)) break;
      }
    }
    await this.update(`blocks/${blocks.quote}/children`, { children: [{ divider: {} }] });
    await this.read();
  }

  /** Changes and removes properties, and moves objects to the trash and back. */
  async removeObjects(): Promise<void> {
    const { page, database, target, databaseRow, block } = this.#own.ids;
    await this.update(`pages/${databaseRow}`, { properties: { To: { relation: [] } } });
    await this.update(`databases/${target}`, {
      properties: { Score: { unique_id: {} }, Who: { name: "People" } },
    });
    await this.update(`databases/${database}`, {
      properties: { Text: { select: {} }, Name: { name: "Title" } },
    });
    await this.read();
    await this.update(`databases/${database}`, {
      properties: { Text: null, Who: { rich_text: {} }, To: null },
    });
    for (const id of [block, this.#own.blocks.table]) await this.exchange("DELETE", `/v1/blocks/${id}`);
    for (const in_trash of [true, false]) {
      for (const path of [`pages/${databaseRow}`, `databases/${target}`, `pages/${page}`])
        await this.update(path, { in_trash });
      await this.read();
    }
  }
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
  await first.service.close();
  const copy = createTemporaryPath();
  copyFileSync(file, copy);
  const open = async (database: string) => {
    const service = await createPageService({ database });
    onTestFinished(() => service.close());
    const baseUrl = `http://127.0.0.1:${await service.listen(0, "127.0.0.1")}`;
    return { service, send: createSend(baseUrl, first.key) };
  };
  const added = createTemporaryPath();
  const exchanges: Exchange[] = [];
  for (const run of [(each: Recorder) => each.addObjects(), (each: Recorder) => each.removeObjects()]) {
    const alone = await open(file);
    const recorder = new Recorder(own, alone.send);
    await run(recorder);
    exchanges.push(...recorder.exchanges);
    await alone.service.close();
    if (!existsSync(added)) copyFileSync(file, added);
  }
  expect(exchanges.length).toBeGreaterThan(200);

  // The other workspace has what was added before anything was removed, so that its rows always differ.
  const beside = await open(copy);
  const { store } = beside.service;
  const { workspaceId: twinId } = await beside.service.createKey({ workspaceName: "Twin" });
  copyContent(added, first.workspaceId, copy, twinId);
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
