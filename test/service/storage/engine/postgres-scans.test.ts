import { sql } from "kysely";
import { expect, onTestFinished } from "vitest";
import { openPostgres } from "../../../../src/storage/engine/dialect.js";
import {
  MAX_WAITING_FOR_CONNECTION,
  READ_CONNECTIONS,
  SCAN_CONNECTION_QUEUE,
  SCAN_CONNECTIONS,
  SCAN_CONNECTIONS_PER_WORKSPACE,
} from "../../../../src/budgets.js";
import { connect, openPool, runScan } from "../../../../src/storage/engine/postgres.js";
import { BusyError } from "../../../../src/errors.js";
import { openTestStore } from "../open.js";
import { query } from "../../../support/postgres.js";
import { testUnless } from "../../../support/requirements.js";
import { newPostgresDatabase, NO_POSTGRES } from "../../../support/stores.js";

/** A statement that takes an hour, and is recognizable in the list of running statements. */
const long = sql`select pg_sleep(3600), 'a long scan' as name`;

/** Counts the long statements that the server runs. */
async function countRunning(location: string): Promise<number> {
  const text =
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() " +
    "AND datname = current_database() AND query LIKE '%pg_sleep%'";
  const [row] = await query<{ count: number }>(location, text);
  return row?.count ?? 0;
}

testUnless(NO_POSTGRES)("the server cancels the scan of a client that disconnects", async () => {
  const location = await newPostgresDatabase();
  const store = await openTestStore(location);
  const controller = new AbortController();
  const scan = long.execute(store.openScan("w", controller));
  await expect.poll(() => countRunning(location)).toBe(1);
  controller.abort(new Error("The client left."));
  await expect(scan).rejects.toThrow("The client left.");
  await expect.poll(() => countRunning(location)).toBe(0);
  // The connections are usable afterwards.
  for (let index = 0; index < 10; index += 1) {
    expect((await sql`select 1 as one`.execute(store.openScan("w"))).rows).toEqual([{ one: 1 }]);
  }
});

testUnless(NO_POSTGRES)(
  "the server cancels a scan at its time limit, and its connection is closed",
  async () => {
    const location = await newPostgresDatabase();
    const pools = [1, 2].map(() => openPool(location, { max: 1, readOnly: true }));
    onTestFinished(async () => void (await Promise.all(pools.map((pool) => pool.end()))));
    const [pool, cancelPool] = pools;
    if (pool === undefined || cancelPool === undefined) throw new Error("A pool is missing.");
    const db = openPostgres({
      executeQuery: (statement) => runScan(pool, cancelPool, statement, undefined, 100),
    });
    const getConnection = async () => (await sql`select pg_backend_pid() as id`.execute(db)).rows;
    const connection = await getConnection();
    await expect(long.execute(db)).rejects.toThrow("took longer than 0.1 s");
    await expect.poll(() => countRunning(location)).toBe(0);
    expect(await getConnection()).not.toEqual(connection);
  },
);

testUnless(NO_POSTGRES)("a statement uses one processor and is not compiled", async () => {
  const store = await openTestStore(await newPostgresDatabase());
  const settings = sql`
    select name, setting from pg_settings where name in ('jit', 'max_parallel_workers_per_gather') order by name`;
  const expected = [
    { name: "jit", setting: "off" },
    { name: "max_parallel_workers_per_gather", setting: "0" },
  ];
  expect((await settings.execute(store.openScan("w"))).rows).toEqual(expected);
  expect((await store.writeServiceWide((tx) => settings.execute(tx))).rows).toEqual(expected);
});

testUnless(NO_POSTGRES)(
  "scans of two workspaces leave read connections to others, and one to other scans",
  async () => {
    const location = await newPostgresDatabase();
    const store = await openTestStore(location);
    // From the end of its first long scan on, a workspace counts as one with long scans.
    const longScan = sql`select pg_sleep(${SCAN_CONNECTION_QUEUE.longRequests.minMs / 1000})`;
    await Promise.all(["a", "b"].map((workspaceId) => longScan.execute(store.openScan(workspaceId))));
    const controller = new AbortController();
    const scans = [];
    let ended = 0;
    for (const workspaceId of ["a", "b"]) {
      for (let index = 0; index < READ_CONNECTIONS; index += 1) {
        const slot = store.createReadSlot(workspaceId);
        const { signal } = controller;
        await slot.acquire();
        scans.push(long.execute(store.openScan(workspaceId, { signal, slot })).catch(() => (ended += 1)));
      }
      await expect
        .poll(() => countRunning(location))
        .toBe(workspaceId === "a" ? SCAN_CONNECTIONS_PER_WORKSPACE : SCAN_CONNECTIONS);
    }
    const left = new AbortController();
    const waiting = long.execute(store.openScan("a", left));
    left.abort(new Error("left"));
    await expect(waiting).rejects.toThrow("left");
    expect(ended).toBe(0);
    await store.createReadSlot("c").acquire();
    expect((await sql`select 1 as one`.execute(store.read)).rows).toEqual([{ one: 1 }]);
    controller.abort(new Error("The clients left."));
    await Promise.all(scans);
  },
);

testUnless(NO_POSTGRES)("a request is refused as overload when too many wait for a connection", async () => {
  const pool = openPool(await newPostgresDatabase(), { max: 1, readOnly: true });
  const clients = Array.from({ length: MAX_WAITING_FOR_CONNECTION + 1 }, () => connect(pool));
  await expect(connect(pool)).rejects.toThrow(BusyError);
  for (const client of clients) (await client).release();
  await pool.end();
});
