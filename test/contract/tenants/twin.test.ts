import { copyFileSync, existsSync } from "node:fs";
import { sql } from "kysely";
import Database from "libsql";
import { expect, onTestFinished, test } from "vitest";
import { startWorkspaceDeletion } from "../../../src/access/workspaces/workspaces.js";
import { deletePermanently } from "../../../src/operations/delete-permanently.js";
import { emptyTrash } from "../../../src/operations/empty-trash.js";
import { runDueJobs } from "../../../src/operations/jobs/run-due-jobs.js";
import { runJob } from "../../../src/operations/jobs/run-job.js";
import { getOrCreate } from "../../../src/get-or-create.js";
import type { Store } from "../../../src/storage/engine/store.js";
import { indexTexts } from "../../../src/storage/transfer/index-texts.js";
import { belongsToWorkspace, EXPORTED_TABLES } from "../../../src/storage/tables.js";
import { createTemporaryPath } from "../../service/storage/open.js";
import { runUseCaseWithJobs } from "../../support/scope.js";
import { createPageService } from "../../../src/service.js";
import { startService } from "../../support/service.js";
import { addLargeDatabase, type Exchange, readView, Recorder } from "./recorder.js";
import { createSend, type Filled, fillWorkspace, type Send } from "./workspace.js";

// Ids are unique only within a workspace. A query without the condition on the workspace also finds, counts or changes the rows of
// a workspace with the same ids.

/** Tables with keys that are unique across workspaces, tables that are written in the background, and jobs, which would run. */
const NOT_COPIED = ["api_keys", "members", "invitations", "audit_events", "request_counts", "jobs"];
const tables = EXPORTED_TABLES.filter((name) => belongsToWorkspace(name) && !NOT_COPIED.includes(name));

/** Copies the content of a workspace in one file into another workspace in another file, with the same ids and other texts. */
function copyContent(source: string, from: string, target: string, to: string): void {
  const database = new Database(target);
  database.exec(`ATTACH '${source}' AS source; BEGIN`);
  for (const name of tables) {
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
  for (const name of [...tables, "page_texts", "pages_to_reconvert"]) {
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

/** Ids of objects, times, and words as long as the ids of properties and options. */
const NEW_VALUE =
  /\b[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=")[\w-]{8}(?=")/g;

/**
 * Creates a function that replaces values of NEW_VALUE that `known` does not contain, and cursors, which can contain new ids.
 */
function createNormalizer(known: string): (response: string) => string {
  const replacements = new Map<string, string>();
  const replacementOf = (found: string) =>
    getOrCreate(replacements, found, () => (known.includes(found) ? found : "new"));
  return (response) =>
    response.replace(/"(request_id|next_cursor)":"[^"]+"/g, "").replaceAll(NEW_VALUE, replacementOf);
}

test("rows of another workspace with the same ids change no response, and no request changes them", async () => {
  const file = createTemporaryPath();
  const first = await startService({ database: file });
  const filled = await fillWorkspace(first, first, "Own");
  const own: Filled = { ...filled, ids: { ...filled.ids, large: await addLargeDatabase(filled) } };
  await first.service.close();
  const copy = createTemporaryPath();
  copyFileSync(file, copy);
  const open = async (database: string) => {
    const service = await createPageService({ database });
    onTestFinished(() => service.close());
    const baseUrl = `http://127.0.0.1:${await service.listen(0, "127.0.0.1")}`;
    const request = createSend(baseUrl, first.key);
    const send: Send = async (method, path, body) =>
      method === "VIEW"
        ? { status: 200, text: await readView(service.store, first.workspaceId, path) }
        : request(method, path, body);
    return { service, send };
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
  await store.writeServiceWide(async (tx) => {
    await indexTexts(tx, (run) => run(tx), [twinId]);
    // As while a conversion runs.
    const { large = "" } = own.ids;
    await tx
      .updateTable("databases")
      .set({ conversion_job_id: "job" })
      .where("workspace_id", "=", twinId)
      .where("id", "=", large)
      .execute();
    const row = { workspace_id: twinId, database_id: large, page_id: own.ids.databaseRow ?? "" };
    await tx.insertInto("pages_to_reconvert").values(row).execute();
  });
  const normalize = createNormalizer(JSON.stringify(await readContent(store, first.workspaceId)));
  const twin = await readContent(store, twinId);
  const differences: string[] = [];
  for (const { request, response } of exchanges) {
    const { text } = await beside.send(...request);
    const [wanted, found] = [response, text].map(normalize);
    if (found !== wanted) differences.push(`${JSON.stringify(request)}: ${found} instead of ${wanted}`);
  }
  expect(differences).toEqual([]);
  for (const isForeground of [true, false]) {
    const onError = (error: unknown) => differences.push(String(error));
    await runDueJobs(store, { isForeground, isStopped: () => false, onError });
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
