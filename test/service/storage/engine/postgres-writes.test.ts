import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { testUnless } from "../../../support/requirements.js";
import { newPostgresDatabase, NO_POSTGRES } from "../../../support/stores.js";
import { SHARED_GROUP_MS, WRITE_CONNECTIONS } from "../../../../src/budgets.js";
import { StorageUnavailableError } from "../../../../src/errors.js";
import { openPostgres } from "../../../../src/storage/engine/dialect.js";
import { createPoolConnection, openPool } from "../../../../src/storage/engine/postgres.js";
import { PostgresTransaction } from "../../../../src/storage/engine/postgres-transaction.js";
import { countConnections } from "../../../support/postgres.js";
import { addDatabase } from "../fixtures.js";
import { openTestStore } from "../open.js";

testUnless(NO_POSTGRES).each([
  ["at once", true],
  ["after a pause", false],
])(
  "long writes of many workspaces leave connections for the writes of others, if the next ones come %s",
  async (_name, isAtOnce) => {
    const store = await openTestStore(await newPostgresDatabase());
    const { workspaceId } = await addDatabase(store);
    const workspaces = Array.from({ length: 8 }, (_, index) => `long ${index}`);
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    // Otherwise the store would not close after a failure.
    onTestFinished(() => release());
    let running = 0;
    const block = async (): Promise<void> => {
      running += 1;
      await released;
    };
    const long: Promise<void>[] = [];
    const writeNext = (each: string): number => long.push(store.write(each, block));
    const first = workspaces.map((each) =>
      store.write(each, async () => {
        if (isAtOnce) writeNext(each);
        await sleep(80);
      }),
    );
    await Promise.all(first);
    if (!isAtOnce) workspaces.forEach(writeNext);
    await expect.poll(() => running).toBeGreaterThan(0);
    expect(await store.write(workspaceId, async () => "written")).toBe("written");
    expect(running).toBe(2);
    release();
    await Promise.all(long);
    expect(running).toBe(workspaces.length);
  },
);

testUnless(NO_POSTGRES)(
  "writes that wait for another process leave connections for the writes of other workspaces",
  async () => {
    const location = await newPostgresDatabase();
    const [store, otherProcess] = [await openTestStore(location), await openTestStore(location)];
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    // Otherwise the stores would not close after a failure.
    onTestFinished(() => release());
    let running = 0;
    const workspaces = Array.from({ length: WRITE_CONNECTIONS }, (_, index) => `locked ${index}`);
    const locking = workspaces.map((each) =>
      otherProcess.write(each, async () => {
        running += 1;
        await released;
      }),
    );
    await expect.poll(() => running).toBe(WRITE_CONNECTIONS);
    const waiting = Promise.all(workspaces.map((each) => store.write(each, async () => each)));
    expect(await store.write("other", async () => "written")).toBe("written");
    release();
    // They would have failed if the write of the other workspace had waited for the timeout of the lock.
    expect(await waiting).toEqual(workspaces);
    await Promise.all(locking);
  },
);

testUnless(NO_POSTGRES)("a group ends early when another workspace waits for a connection", async () => {
  const store = await openTestStore(await newPostgresDatabase());
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  // Otherwise the store would not close after a failure.
  onTestFinished(() => release());
  let running = 0;
  const done: string[] = [];
  const write = (workspaceId: string, wait: () => Promise<unknown>) =>
    store.write(workspaceId, async () => {
      running += 1;
      await wait();
      done.push(workspaceId);
    });
  const waitForAll = () => released;
  const others = Array.from({ length: WRITE_CONNECTIONS - 1 }, (_, index) =>
    write(`other ${index}`, waitForAll),
  );
  let waiting: Promise<void> | undefined;
  const busy = Array.from({ length: 6 }, (_, index) =>
    write("busy", async () => {
      if (index > 0) return sleep(2 * SHARED_GROUP_MS);
      await expect.poll(() => running).toBe(WRITE_CONNECTIONS);
      waiting = write("waiting", async () => {});
      while (store.stats().connections.every((each) => each.waiting === 0)) await sleep(1);
    }),
  );
  await Promise.all(busy);
  expect(done.indexOf("waiting")).toBeGreaterThan(0);
  expect(done.indexOf("waiting")).toBeLessThan(busy.length - 1);
  release();
  await Promise.all([waiting, ...others]);
});

test("a long write that gets no connection gives its slot back", async () => {
  const pool = openPool("postgres://127.0.0.1:1/none", { max: 1, readOnly: false });
  let released = 0;
  const begun = PostgresTransaction.begin(pool, "BEGIN", () => (released += 1));
  await expect(begun).rejects.toThrow(StorageUnavailableError);
  expect(released).toBe(1);
});

testUnless(NO_POSTGRES)("a closed store has no connections", async () => {
  const location = await newPostgresDatabase();
  const store = await openTestStore(location);
  const one = sql`select 1 as one`;
  await Promise.all([
    one.execute(store.read),
    one.execute(store.openScan("w")),
    store.writeServiceWide((tx) => one.execute(tx)),
    store.ping(),
  ]);
  expect(await countConnections(location)).toBe(4);
  await store.close();
  // The timeout is shorter than the time after which `pg` closes idle connections.
  await expect.poll(() => countConnections(location), { timeout: 5000 }).toBe(0);
});

testUnless(NO_POSTGRES)(
  "a commit after a statement that failed is an error, because nothing is written",
  async () => {
    const pool = openPool(await newPostgresDatabase(), { max: 1, readOnly: false });
    const transaction = await PostgresTransaction.begin(pool, "BEGIN");
    await expect(sql`select 1 / 0`.execute(openPostgres(transaction))).rejects.toThrow("division by zero");
    await expect(transaction.commit()).rejects.toThrow("COMMIT returned ROLLBACK");
    await pool.end();
  },
);

testUnless(NO_POSTGRES)("a connection with a statement that did not finish is not used again", async () => {
  const pool = openPool(await newPostgresDatabase(), { max: 1, readOnly: true });
  const db = openPostgres(createPoolConnection(pool));
  await sql`select 1`.execute(db);
  pool.once("acquire", (client) => {
    vi.spyOn(client, "query").mockRejectedValue(new Error("Query read timeout"));
  });
  await expect(sql`select 1`.execute(db)).rejects.toThrow("Query read timeout");
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

testUnless(NO_POSTGRES)(
  "a long write waits for one write of each other workspace, not for a group",
  async () => {
    const store = await openTestStore(await newPostgresDatabase());
    const done: string[] = [];
    const write = (workspaceId: string, onStart = (): void => {}, ms = 60) =>
      store.write(workspaceId, async () => {
        onStart();
        await sleep(ms);
        done.push(workspaceId);
      });
    const later: Promise<void>[] = [];
    const repeat = (workspaceId: string, count: number) => () => {
      for (let index = 0; index < count; index += 1) later.push(write(workspaceId));
    };
    // The first writes show that the next ones are long. Those of "c" wait until "a" and "b" use all connections for long writes.
    await Promise.all([
      write("a", repeat("a", 6)),
      write("b", repeat("b", 6)),
      write("c", repeat("c", 1), 120),
    ]);
    await Promise.all(later);
    expect(done.lastIndexOf("c") - done.indexOf("c")).toBeLessThan(7);
  },
);
