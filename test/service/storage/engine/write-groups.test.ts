import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { SHARED_GROUP_MS } from "../../../../src/budgets.js";
import { openSqlite } from "../../../../src/storage/engine/dialect.js";
import { SqliteConnection } from "../../../../src/storage/engine/sqlite.js";
import type { TransactionSource } from "../../../../src/storage/engine/transaction.js";
import { WriteQueue } from "../../../../src/storage/engine/write-queue.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { indexPageTexts } from "../../../../src/storage/pages/text-index.js";
import { openStore } from "../../../../src/storage/engine/open-store.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { emptyPage } from "../../../support/objects.js";
import { reusableStores } from "../../../support/stores.js";
import { addDatabase, schema } from "../fixtures.js";
import { createTemporaryPath, openTestStore } from "../open.js";

type Database = Awaited<ReturnType<typeof addDatabase>>;

/** Stops the clock of this test, so that a group does not end early on a busy machine. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Inserts a page, and fails afterwards if `mistake` is an error. */
async function write(store: Store, { workspaceId, databaseId }: Database, mistake?: Error): Promise<string> {
  const page = emptyPage(databaseId, { properties: { title: [] } });
  await store.write(workspaceId, async (scope) => {
    await insertPage(scope, page);
    await indexPageTexts(scope, page, schema.definitions, { isNew: true });
    if (mistake !== undefined) throw mistake;
  });
  return page.id;
}

test.each(reusableStores)(
  "writes before a failing write run again, once, and count as growth once: %s",
  async (_name, newLocation) => {
    stopClock();
    const groups: number[] = [];
    const store = await openStore(await newLocation(), { onCommit: (writes) => groups.push(writes) });
    onTestFinished(() => store.close());
    const database = await addDatabase(store);
    const { workspaceId, databaseId } = database;
    await write(store, database);
    const growth = store.writtenBytes.takeAll().get(workspaceId) ?? 0;
    groups.length = 0;
    const runs: string[] = [];
    const run = (name: string) =>
      store.write(workspaceId, async (scope) => {
        runs.push(name);
        const page = emptyPage(databaseId, { properties: { title: [] } });
        await insertPage(scope, page);
        await indexPageTexts(scope, page, schema.definitions, { isNew: true });
        if (name === "mistake") throw new Error(name);
      });
    const results = await Promise.allSettled(["first", "second", "mistake", "last"].map(run));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(runs).toEqual(["first", "second", "mistake", "first", "second", "last"]);
    expect(groups).toEqual([2, 1]);
    expect(store.writtenBytes.get(workspaceId)).toBe(3 * growth);
    const countRows = async (table: "pages" | "page_texts") =>
      (await store.read.selectFrom(table).select("workspace_id").execute()).length;
    expect([await countRows("pages"), await countRows("page_texts")]).toEqual([4, 4]);
  },
);

test.each(reusableStores)(
  "a write that fails before it changes something rolls nothing back: %s",
  async (_name, newLocation) => {
    stopClock();
    const groups: number[] = [];
    const store = await openStore(await newLocation(), { onCommit: (writes) => groups.push(writes) });
    onTestFinished(() => store.close());
    const database = await addDatabase(store);
    groups.length = 0;
    const refused = store.write(database.workspaceId, async ({ db }) => {
      await db.selectFrom("pages").select("id").execute();
      await sql`select id from pages`.execute(db);
      throw new Error("a refusal");
    });
    const results = await Promise.allSettled([write(store, database), refused, write(store, database)]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(groups).toEqual([2]);
  },
);

test("a workspace whose writes fail makes the writes of another one run again only once", async () => {
  stopClock();
  const groups: number[] = [];
  const store = await openStore(createTemporaryPath(), { onCommit: (writes) => groups.push(writes) });
  onTestFinished(() => store.close());
  const [good, bad] = [await addDatabase(store), await addDatabase(store)];
  let runs = 0;
  const succeed = () =>
    store.write(good.workspaceId, async (scope) => {
      runs += 1;
      await insertPage(scope, emptyPage(good.databaseId));
    });
  const pairs = Array.from({ length: 8 }, () => [succeed(), write(store, bad, new Error("a mistake"))]);
  const results = await Promise.allSettled(pairs.flat());
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(8);
  expect(runs).toBe(9);
  // Its writes share groups again once one of them has succeeded.
  await write(store, bad);
  groups.length = 0;
  await Promise.all([succeed(), write(store, bad), succeed()]);
  expect(groups).toEqual([3]);
});

test("writes that fail alone do not wait for those of other workspaces forever, nor the reverse", async () => {
  const store = await openTestStore();
  const [good, bad] = [await addDatabase(store), await addDatabase(store)];
  const mistake = new Error("a mistake");
  await expect(write(store, bad, mistake)).rejects.toBe(mistake);
  const load = { isOver: false };
  const keepWriting = async (): Promise<void> => {
    while (!load.isOver) await write(store, good);
  };
  const busy = Array.from({ length: 5 }, keepWriting);
  for (let count = 0; count < 5; count += 1) await expect(write(store, bad, mistake)).rejects.toBe(mistake);
  load.isOver = true;
  await Promise.all(busy);
});

test("if a commit is short, the next group does not wait for all clients of the last one", async () => {
  stopClock();
  const groups: number[] = [];
  const store = await openStore(":memory:", { onCommit: (writes) => groups.push(writes) });
  onTestFinished(() => store.close());
  // Longer than a commit, which takes no time on a stopped clock.
  const runWrite = () =>
    store.writeServiceWide(async (tx) => {
      vi.advanceTimersByTime(30);
      await tx.selectFrom("pages").select("id").execute();
    });
  await Promise.all(Array.from({ length: 4 }, runWrite));
  const early = [runWrite(), runWrite()];
  for (let turns = 0; turns < 3; turns += 1) await nextTurn();
  await Promise.all([...early, runWrite(), runWrite()]);
  expect(groups).toEqual([4, 2, 2]);
});

/** Creates a queue without a database. */
function createQueue(options: Partial<TransactionSource>): WriteQueue {
  const transaction = {
    isOpen: true,
    executeQuery: async () => ({ rows: [] }),
    commit() {},
    rollBack() {},
  };
  return new WriteQueue({
    begin: async () => transaction,
    longWriteMs: Infinity,
    longTenants: new Map(),
    openKysely: openSqlite,
    onWrite() {},
    ...options,
  });
}

test("a group ends early when transactions of other queues wait", async () => {
  const groups: number[] = [];
  const queue = createQueue({
    hasWaitingTransactions: () => true,
    onCommit: (writes) => groups.push(writes),
  });
  const write = () =>
    queue.write(async () => {
      const end = performance.now() + 2 * SHARED_GROUP_MS;
      while (performance.now() < end);
    }, "w");
  await Promise.all([write(), write(), write()]);
  expect(groups).toEqual([1, 1, 1]);
});

/** Creates a queue for writes that take 1,000 ms for the tenant "long". `groups` has the tenants of the writes in each group. */
function createRecordingQueue() {
  stopClock();
  const groups: string[][] = [[]];
  const queue = createQueue({
    longWriteMs: 500,
    longTenants: new Map([["long", 1000]]),
    onCommit: () => groups.push([]),
  });
  const write = (tenant: string, run = (): void => {}): Promise<void> =>
    queue.write(async () => {
      groups.at(-1)?.push(tenant);
      if (tenant === "long") vi.advanceTimersByTime(1000);
      run();
    }, tenant);
  return { groups, write };
}

test("groups of short writes and of one long write alternate", async () => {
  const { groups, write } = createRecordingQueue();
  const useGroupTime = (): void => void vi.advanceTimersByTime(2 * SHARED_GROUP_MS);
  await Promise.all([
    write("long"),
    write("long"),
    write("short", useGroupTime),
    write("other", useGroupTime),
  ]);
  expect(groups).toEqual([["short"], ["long"], ["other"], ["long"], []]);
});

test("a short write that arrives during a long one waits for no further one", async () => {
  const { groups, write } = createRecordingQueue();
  const later: Promise<void>[] = [];
  const addShort = (): void => void later.push(write("short"));
  await Promise.all([write("long", addShort), write("long"), write("long", addShort), write("long")]);
  await Promise.all(later);
  expect(groups).toEqual([["long"], ["short"], ["long"], ["long"], ["short"], ["long"], []]);
});

test.each(reusableStores)(
  "a write that ignores the errors of its queries is rejected with the first one: %s",
  async (_name, newLocation) => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const written = store.write(workspaceId, async ({ db }) => {
      for (const table of ["first", "second"])
        await sql`select * from ${sql.table(table)}`.execute(db).catch(() => {});
    });
    await expect(written).rejects.toThrow("first");
  },
);

test("a write changes nothing after SQLite has rolled back its transaction, as it does when the disk is full", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const written = store.write(workspaceId, async (scope) => {
    await sql`rollback`.execute(scope.db);
    await insertPage(scope, emptyPage(databaseId));
  });
  await expect(written).rejects.toThrow("rolled back");
  expect(await store.read.selectFrom("pages").select("id").execute()).toEqual([]);
});

test("writes are rejected, not delayed, after a transaction that could not be rolled back", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const { exec } = SqliteConnection.prototype;
  const failing = vi.spyOn(SqliteConnection.prototype, "exec").mockImplementation(function (
    this: SqliteConnection,
    text,
  ) {
    if (text === "ROLLBACK") throw new Error("disk I/O error");
    exec.call(this, text);
  });
  onTestFinished(() => failing.mockRestore());
  const change = () =>
    store.write(workspaceId, async ({ db }) => {
      await sql`update workspaces set name = '' where id = ${workspaceId}`.execute(db);
      throw new Error("a mistake");
    });
  await expect(change()).rejects.toThrow("a mistake");
  await expect(change()).rejects.toThrow("within a transaction");
});

test("short writes of a workspace count as long after a very long one, until they halve its time to a short one", async () => {
  stopClock();
  const longTenants = new Map<string, number>();
  const queue = createQueue({ longWriteMs: 50, longTenants });
  const write = async (ms: number) => {
    await queue.write(async () => void vi.advanceTimersByTime(ms), "w");
    return longTenants.has("w");
  };
  expect([await write(60), await write(1)]).toEqual([true, false]);
  expect([await write(300), await write(1), await write(1), await write(1)]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
