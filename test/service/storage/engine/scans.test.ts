import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { SCAN_TIMEOUT_MS, SQLITE_SCAN_QUEUE } from "../../../../src/budgets.js";
import { openSqlite } from "../../../../src/storage/engine/dialect.js";
import { StorageUnavailableError } from "../../../../src/errors.js";
import { FairQueue } from "../../../../src/queues/fair-queue.js";
import { QueueSlot } from "../../../../src/queues/queue-slot.js";
import { SqliteScanner } from "../../../../src/storage/engine/sqlite-scanner.js";
import { openStore } from "../../../../src/storage/engine/open-store.js";
import { createTemporaryFolder } from "../../../support/temporary-folder.js";

async function openFileStore() {
  const file = path.join(createTemporaryFolder(), "page-service.db");
  const store = await openStore(file);
  onTestFinished(() => store.close());
  return { file, store };
}

/** Counts rows, which takes a second for about ten million rows. */
const count = (rows: number) => sql<{ counted: number }>`
  with recursive row(number) as (select 1 union all select number + 1 from row limit ${rows})
  select count(*) as counted from row`;

test("reads and writes finish during a scan", async () => {
  const { store } = await openFileStore();
  const left = new AbortController();
  const scan = expect(count(1e12).execute(store.openScan("w", left))).rejects.toThrow("left");
  await store.read.selectFrom("workspaces").selectAll().execute();
  await store.writeServiceWide((tx) => tx.deleteFrom("users").execute());
  left.abort(new Error("left"));
  await scan;
  // The next scan, which takes longer than the interval of the interruptions, is not interrupted.
  expect((await count(1e6).execute(store.openScan("w"))).rows).toEqual([{ counted: 1e6 }]);
});

test("a scan sees committed writes, reports its errors, keeps the order of rows and writes nothing", async () => {
  const { store } = await openFileStore();
  const scan = store.openScan("w");
  for (const name of ["b", "c", "a"]) {
    const workspace = { id: name, name, plan: "free", request_limit: null, created_time: 0 } as const;
    await store.writeServiceWide((tx) => tx.insertInto("workspaces").values(workspace).execute());
  }
  const names = await scan.selectFrom("workspaces").select("name").orderBy("name", "desc").execute();
  expect(names).toEqual([{ name: "c" }, { name: "b" }, { name: "a" }]);
  await expect(sql`select * from nowhere`.execute(scan)).rejects.toThrow("no such table: nowhere");
  await expect(sql`delete from users`.execute(scan)).rejects.toThrow();
});

test("a scan ends with its time limit, and the next one is not affected", async () => {
  const { file } = await openFileStore();
  const scanner = new SqliteScanner(file, undefined, 100);
  onTestFinished(() => scanner.close());
  const db = openSqlite(scanner.connect("w"));
  await expect(count(1e12).execute(db)).rejects.toThrow(/took longer than 0.1 s/);
  // Polled, because on a busy machine even a short scan can exceed the limit.
  await expect.poll(async () => (await count(10).execute(db)).rows).toEqual([{ counted: 10 }]);
});

test("a scan of a store ends after SCAN_TIMEOUT_MS", async () => {
  const { store } = await openFileStore();
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const ended = expect(count(1e12).execute(store.openScan("w"))).rejects.toThrow(/took longer than 5 s/);
  // Until the timer of the scan has started.
  while (vi.getTimerCount() === 0) await nextTurn();
  vi.advanceTimersByTime(SCAN_TIMEOUT_MS);
  await ended;
});

test("statements of earlier scans that are garbage collected during a scan do not block the event loop", async () => {
  const { file } = await openFileStore();
  const scanner = new SqliteScanner(file, undefined, 500);
  onTestFinished(() => scanner.close());
  const db = openSqlite(scanner.connect("w"));
  for (let scan = 0; scan < 120; scan += 1) await count(10).execute(db);
  setFlagsFromString("--expose-gc");
  // The cast: the function that V8 offers with this flag.
  const collectGarbage = runInNewContext("gc") as () => void;
  const timer = setInterval(collectGarbage, 50);
  onTestFinished(() => clearInterval(timer));
  // A blocked event loop could not end the scan.
  await expect(count(1e9).execute(db)).rejects.toThrow(/took longer than 0.5 s/);
});

/** Begins a program that counts statements of scans. In a process of its own, because V8 counts them in the whole heap. */
const COUNT_STATEMENTS = `
  const { queryObjects } = await import("node:v8");
  const { sql } = await import("kysely");
  const { default: AsyncDatabase } = await import("libsql/promise");
  const [engine, file] = process.argv.slice(1);
  const { openSqlite } = await import(engine + "dialect.js");
  const { SqliteScanner } = await import(engine + "sqlite-scanner.js");
  const statement = await new AsyncDatabase(":memory:", {}).prepare("select 1");
  const countStatements = () => queryObjects(statement.constructor, { format: "count" });
  const scanner = new SqliteScanner(file);
  const scan = (text) => sql.raw(text).execute(openSqlite(scanner.connect("w")));
`;

/** Runs a program that begins with COUNT_STATEMENTS, and returns the numbers that it prints. */
async function runProgram(program: string): Promise<number[]> {
  const { file } = await openFileStore();
  const engine = new URL("../../../../dist/src/storage/engine/", import.meta.url).href;
  const args = ["--input-type=module", "--eval", COUNT_STATEMENTS + program, engine, file];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout.trim().split(" ").map(Number);
}

test("many scans keep few files open and few statements in memory", async () => {
  const [files, statements] = await runProgram(`
    const { readdirSync } = await import("node:fs");
    const countOpenFiles = () => readdirSync("/dev/fd").length;
    const before = countOpenFiles();
    for (let count = 0; count < 300; count += 1) await scan("select 1");
    console.log(countOpenFiles() - before, countStatements());
  `);
  expect(files).toBeLessThan(30);
  expect(statements).toBeLessThan(60);
});

test("scans with long SQL keep few statements, of whose memory V8 knows", async () => {
  const [length, bytes, ...statements] = await runProgram(`
    const text = "select '" + "x".repeat(100_000) + "' as text";
    const measure = () => process.memoryUsage().arrayBuffers;
    const counts = [countStatements()];
    const before = measure();
    const { rows } = await scan(text);
    const bytes = measure() - before;
    for (let count = 0; count < 2; count += 1) {
      await scan(text);
      counts.push(countStatements());
    }
    console.log(rows[0].text.length, bytes, ...counts);
  `);
  expect(length).toBe(100_000);
  expect(bytes).toBeGreaterThan(2_000_000);
  // The first count is the program's own statement. The scans add two, which go with their connection.
  expect(statements).toEqual([1, 3, 1]);
});

test("a running or waiting scan is cancelled when its client disconnects", async () => {
  const { store } = await openFileStore();
  const left = new AbortController();
  const endless = () => count(1e12).execute(store.openScan("w", left));
  const refused = [endless(), endless()].map((scan) => expect(scan).rejects.toThrow("left"));
  setTimeout(() => left.abort(new Error("left")), 50);
  await Promise.all(refused);
  expect((await count(10).execute(store.openScan("w"))).rows).toEqual([{ counted: 10 }]);
});

test("a scan ends when its client disconnects at any moment of its start", async () => {
  const { file } = await openFileStore();
  const scanner = new SqliteScanner(file);
  onTestFinished(() => scanner.close());
  for (let turns = 0; turns < 100; turns += 1) {
    const left = new AbortController();
    const db = openSqlite(scanner.connect("w", left));
    const refused = expect(count(1e12).execute(db)).rejects.toThrow("left");
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    left.abort(new Error("left"));
    await refused;
  }
});

test("scans of a workspace do not wait for all waiting scans of another workspace", async () => {
  const { store } = await openFileStore();
  const done: string[] = [];
  const scan = async (workspaceId: string, rows: number) => {
    await count(rows).execute(store.openScan(workspaceId));
    done.push(workspaceId);
  };
  const greedy = Array.from({ length: 10 }, () => scan("greedy", 300_000));
  // Short, because the next scan of the other workspace runs at the same time and could end before a longer one.
  await Promise.all([...greedy, scan("modest", 1)]);
  expect(done.indexOf("modest")).toBeLessThanOrEqual(1);
});

test("the scans of a workspace with short ones do not wait for long ones of several others", async () => {
  const { store } = await openFileStore();
  const startLong = (left: AbortController) =>
    ["a", "b"].map((workspaceId) =>
      expect(count(1e12).execute(store.openScan(workspaceId, left))).rejects.toThrow("left"),
    );
  // From the end of its first long scan on, a workspace counts as one with long scans.
  const first = new AbortController();
  const firstScans = startLong(first);
  setTimeout(() => first.abort(new Error("left")), SQLITE_SCAN_QUEUE.longRequests.minMs + 50);
  await Promise.all(firstScans);
  const left = new AbortController();
  const long = startLong(left);
  await count(1).execute(store.openScan("short"));
  left.abort(new Error("left"));
  await Promise.all(long);
});

test("a request gives its slot back during a scan, and has it again afterwards", async () => {
  const { store } = await openFileStore();
  const queue = new FairQueue({ slots: 1, slotsPerTenant: 1, maxWaitingPerTenant: 10, maxWaitMs: 10_000 });
  const slot = new QueueSlot(queue, "a");
  await slot.acquire();
  const left = new AbortController();
  const scan = count(1e12).execute(store.openScan("a", { signal: left.signal, slot }));
  const other = await queue.acquire("b");
  left.abort(new Error("left"));
  await expect(scan).rejects.toThrow("left");
  other();
  await slot.acquire();
  await count(10).execute(store.openScan("a", { slot }));
  let isFree = false;
  const next = queue.acquire("b").then(() => (isFree = true));
  await count(10).execute(store.openScan("b"));
  expect(isFree).toBe(false);
  slot.end();
  await next;
});

test("the number of waiting scans per workspace is limited", async () => {
  const { store } = await openFileStore();
  const scans = Array.from({ length: 30 }, () => count(1000).execute(store.openScan("greedy")));
  const results = await Promise.allSettled(scans);
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(9);
});

test("memory is released between scans and during a scan, and later reads and scans work", async () => {
  const { store } = await openFileStore();
  const scan = store.openScan("w");
  await count(10).execute(scan);
  store.releaseMemory();
  const left = new AbortController();
  const running = count(1e12).execute(store.openScan("w", left));
  await new Promise((resolve) => setTimeout(resolve, 100));
  store.releaseMemory();
  left.abort(new Error("left"));
  await expect(running).rejects.toThrow("left");
  expect((await count(10).execute(scan)).rows).toEqual([{ counted: 10 }]);
  expect(await store.read.selectFrom("workspaces").selectAll().execute()).toEqual([]);
});

test("closing a store ends its scans", async () => {
  const { store } = await openFileStore();
  const scan = store.openScan("w");
  const running = expect(count(1e12).execute(scan)).rejects.toThrow("The database is closed.");
  const waiting = expect(count(1e12).execute(scan)).rejects.toThrow("The database is closed.");
  await new Promise((resolve) => setTimeout(resolve, 100));
  await store.close();
  await Promise.all([running, waiting]);
  await expect(count(1).execute(scan)).rejects.toThrow("The database is closed.");
});

test("reads run between the statements of a long transaction", async () => {
  const { store } = await openFileStore();
  let over = false;
  const writing = store
    .write("greedy", async ({ db: tx }) => {
      for (let round = 0; round < 20; round += 1) await count(200_000).execute(tx);
    })
    .finally(() => (over = true));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await store.read.selectFrom("workspaces").selectAll().execute();
  expect(over).toBe(false);
  await writing;
});

test("a connection for scans that cannot be opened is opened again by the next scan", async () => {
  const file = path.join(createTemporaryFolder(), "folder", "page-service.db");
  const scanner = new SqliteScanner(file);
  onTestFinished(() => scanner.close());
  const db = openSqlite(scanner.connect("w"));
  await expect(count(1).execute(db)).rejects.toThrow(StorageUnavailableError);
  // The file can be opened, but its first statement fails.
  mkdirSync(path.dirname(file));
  writeFileSync(file, "This is not a database. ".repeat(100));
  await expect(count(1).execute(db)).rejects.toThrow("file is not a database");
  rmSync(file);
  const store = await openStore(file);
  onTestFinished(() => store.close());
  expect((await count(7).execute(db)).rows).toEqual([{ counted: 7 }]);
});
