import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "../../../../src/client/index.js";
import { createPageService } from "../../../../src/service.js";
import { newId } from "../../../../src/domain/ids.js";
import { openStore } from "../../../../src/storage/engine/open-store.js";
import { insertJob, type Job } from "../../../../src/storage/jobs.js";
import { EXPORTED_TABLES } from "../../../../src/storage/tables.js";
import { startService } from "../../../support/service.js";
import { query } from "../../../support/postgres.js";
import { testUnless } from "../../../support/requirements.js";
import { newEmptyPostgresDatabase, NO_POSTGRES } from "../../../support/stores.js";
import { Visitor } from "../../../support/visitor.js";
import { createEnvironment } from "../../command.js";
import { runInProcess } from "../../run-in-process.js";
import { createSqliteLocation, exportDatabase, importInto, runOn, kinds } from "./command.js";
import { type FilledService, fillService } from "./fill.js";
import { readEverything } from "./snapshot.js";
import { createTemporaryFolder } from "../../../support/temporary-folder.js";

/** Runs a service on a database during a call. */
async function withService<T>(database: string, use: (baseUrl: string) => Promise<T>): Promise<T> {
  const service = await createPageService({ database });
  try {
    return await use(`http://127.0.0.1:${await service.listen(0, "127.0.0.1")}`);
  } finally {
    await service.close();
  }
}

/** Creates a database with objects of every kind in a folder, and returns its contents. */
async function fillDatabase(folder: string) {
  const location = path.join(folder, "page-service.db");
  const running = await startService({ database: location });
  const filled = await fillService(running);
  // The lease has not ended, so no process finishes the job during the test.
  const job: Job = {
    workspaceId: running.workspaceId,
    id: newId(),
    kind: "add_reverse_links",
    objectId: filled.databaseId,
    propertyIds: ["gone"],
    doneCount: 1,
    totalCount: null,
    createdTime: Date.UTC(2100),
    owner: newId(),
  };
  await running.service.store.write(job.workspaceId, (scope) => insertJob(scope, job));
  // Closing the service writes the request counts, which it otherwise writes every few seconds.
  await running.service.close();
  return {
    location,
    filled,
    original: await exportDatabase(location),
    read: await readAll(location, filled),
  };
}

/** Reads everything that each key of a database can read. */
function readAll(location: string, filled: FilledService): Promise<unknown[]> {
  return withService(location, async (baseUrl) => [
    await readEverything(baseUrl, filled.keys[0]),
    await readEverything(baseUrl, filled.keys[1]),
    await runQueries(baseUrl, filled),
  ]);
}

function createPath(name: string): string {
  return path.join(createTemporaryFolder(), name);
}

/** Runs queries by a property of each indexed type, and queries without results. */
async function runQueries(baseUrl: string, filled: FilledService): Promise<unknown> {
  const client = createClient({ baseUrl, apiKey: filled.keys[0] });
  const run = async (filter: object, sorts: object[] = []) => {
    const { body } = await client.queryDatabase({
      path: { database_id: filled.databaseId },
      body: { filter, sorts } as Parameters<typeof client.queryDatabase>[0]["body"],
    });
    return body.results;
  };
  return [
    await run({ property: "Number", number: { less_than: 1.2 } }, [
      { property: "Number", direction: "descending" },
    ]),
    await run({ property: "Select", select: { equals: "One" } }, [
      { property: "Title", direction: "ascending" },
    ]),
    await run({ property: "Text", rich_text: { contains: "long long" } }),
    await run({ property: "Done", checkbox: { equals: true } }),
    await run({ property: "Costs", rollup: { number: { greater_than: 0 } } }),
  ];
}

const route = kinds.toReversed();

const folder = mkdtempSync(path.join(tmpdir(), "page-service-exported-"));
let database: Awaited<ReturnType<typeof fillDatabase>>;
beforeAll(async () => {
  database = await fillDatabase(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a database without workspaces is exported and imported", async () => {
  const location = createSqliteLocation();
  await (await openStore(location)).close();
  const input = createPath("empty.jsonl");
  writeFileSync(input, await exportDatabase(location));
  expect(await importInto(createSqliteLocation(), input)).toBe("Imported 0 workspaces, 0 rows.\n");
});

test("an export shows its progress in a terminal, and removes it at the end", async () => {
  vi.useFakeTimers({ toFake: ["performance"] }).advanceTimersByTime(1000);
  onTestFinished(() => void vi.useRealTimers());
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  const env = createEnvironment(database.location);
  const { stderr } = await runInProcess(["export"], env, undefined, terminal);
  // One line, because the others follow in less than UPDATE_INTERVAL_MS.
  expect(stderr).toMatch(/^\r\u001b\[K[\d,]+ rows exported\r\u001b\[K$/);
});

test(`from SQLite through ${route.map(([name]) => name).join(" and ")} export and import keep bytes, responses, keys and accounts`, async () => {
  const { filled, original, read } = database;
  const tables = new Set(original.split("\n").map((line) => /^\{"table":"(\w+)"/.exec(line)?.[1]));
  // The export contains rows of every table.
  expect(EXPORTED_TABLES.filter((name) => !tables.has(name))).toEqual([]);
  expect(Object.keys(read[0] ?? {}).length).toBeGreaterThan(100);

  let before = original;
  for (const [, newLocation] of route) {
    const input = createPath("backup.jsonl");
    writeFileSync(input, before);
    const copy = await newLocation();
    expect(await importInto(copy, input)).toMatch(/^Imported 2 workspaces, [\d,]+ rows\.\n$/);
    before = await exportDatabase(copy);
    expect(before).toBe(original);
    expect(await readAll(copy, filled)).toEqual(read);
    await withService(copy, (baseUrl) => expectWorking(baseUrl, filled));
  }
});

testUnless(NO_POSTGRES)("an import gives PostgreSQL's planner statistics of the rows", async () => {
  const input = createPath("backup.jsonl");
  writeFileSync(input, database.original);
  const copy = await newEmptyPostgresDatabase();
  await importInto(copy, input);
  const planned = await query<{ name: string }>(
    copy,
    "SELECT DISTINCT tablename AS name FROM pg_stats WHERE schemaname = 'public' ORDER BY name",
  );
  const names = planned.map(({ name }) => name);
  expect(names).toEqual(["blocks", "page_texts", "pages", "property_values"]);
});

/** Checks that keys, accounts and invitations still work, and that writes continue after the imported ones. */
async function expectWorking(baseUrl: string, filled: FilledService): Promise<void> {
  const me = (key: string) =>
    fetch(`${baseUrl}/v1/users/me`, { headers: { Authorization: `Bearer ${key}` } });
  expect((await me(filled.revokedKey)).status).toBe(401);
  expect((await me(filled.readOnlyKey)).status).toBe(200);
  expect((await me(filled.keys[1])).headers.get("x-ratelimit-limit")).toBe("5000");

  const ada = new Visitor(baseUrl);
  expect((await ada.signIn(filled.email)).headers.get("location")).toBe("/");
  expect(await (await ada.get("/settings/api")).text()).toContain("Ada&#39;s");
  const eve = new Visitor(baseUrl);
  const place = (await eve.get(filled.invitation)).headers.get("location") ?? "";
  expect((await eve.signUp("Eve", place)).status).toBe(303);

  const client = createClient({ baseUrl, apiKey: filled.keys[0] });
  const { body } = await client.createPage({
    body: { parent: { database_id: filled.databaseId }, properties: { Title: { title: [] } } },
  });
  expect(body.properties.Number2).toMatchObject({ unique_id: { prefix: "T", number: 26 } });
}

test("imports one workspace next to others, with the accounts of its members", async () => {
  const { location, filled, original, read } = database;
  for (const [, newLocation] of route) {
    const copy = await newLocation();
    await runOn(copy, ["keys", "create", "--workspace", "There", "--create-workspace"]);
    for (const name of ["Test", "Other"]) {
      const input = createPath("workspace.jsonl");
      const text = await exportDatabase(location, ["--workspace", name]);
      // Only "Test" has a member.
      expect(text.includes('{"table":"accounts"')).toBe(name === "Test");
      writeFileSync(input, text);
      expect(await importInto(copy, input)).toMatch(/^Imported 1 workspace, /);
      expect(await exportDatabase(copy, ["--workspace", name])).toBe(text);
      const again = await runOn(copy, ["import", "--input", input]);
      expect([again.code, again.stderr]).toEqual([
        2,
        expect.stringMatching(/line 2: this workspace exists already: "/),
      ]);
    }
    expect(await readAll(copy, filled)).toEqual(read);
    // A deleted workspace leaves no rows.
    const [, id = "none"] = /"table":"workspaces","row":\{"id":"([^"]+)","name":"Other"/.exec(original) ?? [];
    expect(await exportDatabase(copy)).toContain(id);
    expect((await runOn(copy, ["workspaces", "delete", "Other", "--yes"])).stderr).toBe("");
    expect(await exportDatabase(copy)).not.toContain(id);
  }
});
