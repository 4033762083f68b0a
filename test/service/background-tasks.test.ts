import { sql } from "kysely";
import { pino } from "pino";
import { expect, test } from "vitest";
import { CLEANUP_BATCH_ROWS } from "../../src/budgets.js";
import { startBackgroundTasks } from "../../src/service/background-tasks.js";
import type { Store } from "../../src/storage/engine/store.js";
import { addRequestCount } from "../../src/storage/access/request-counts.js";
import { findWorkspacesWithExpiredResponses, storeResponse } from "../../src/storage/idempotency.js";
import { addDatabase } from "./storage/fixtures.js";
import { openTestStore } from "./storage/open.js";
import { stores } from "../support/stores.js";

/** Starts the background tasks on a database without their tables. */
async function startFailingTasks() {
  const store = await openTestStore();
  await store.writeWithoutInvalidation(async (tx) => {
    for (const table of ["jobs", "idempotency_keys", "workspaces"]) {
      await sql`alter table ${sql.table(table)} rename to ${sql.table(`old_${table}`)}`.execute(tx);
    }
  });
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  return { stop: startBackgroundTasks(store, logger), lines };
}

test("background tasks that fail are logged with their error", async () => {
  const { stop, lines } = await startFailingTasks();
  await expect
    .poll(() => [...new Set(lines.map(({ msg }) => msg))].sort())
    .toEqual([
      "background job failed",
      "cleanup failed",
      "count of stored bytes failed",
      "interrupted job failed",
    ]);
  for (const line of lines) expect(line).toMatchObject({ level: 50, err: { message: expect.any(String) } });
  await stop();
});

test("background tasks that fail because the service stops are not logged", async () => {
  const { stop, lines } = await startFailingTasks();
  await stop();
  expect(lines).toEqual([]);
});

test("workspaces take turns when their expired responses are deleted, also beside one whose writes fail", async () => {
  const store = await openTestStore();
  const [failing, many, one] = [await addDatabase(store), await addDatabase(store), await addDatabase(store)];
  const record = { fingerprint: Buffer.of(1), status: 200, content: null };
  for (const [{ workspaceId }, count] of [
    [failing, 1],
    [many, 2 * CLEANUP_BATCH_ROWS],
    [one, 1],
  ] as const) {
    await store.write(workspaceId, async (scope) => {
      for (let index = 0; index < count; index += 1) {
        await storeResponse(scope, Buffer.from([index]), record, { now: 0, quotaBytes: Infinity });
      }
    });
  }
  const written: string[] = [];
  const recording: Store = {
    ...store,
    write(workspaceId, job) {
      written.push(workspaceId);
      if (workspaceId === failing.workspaceId) return Promise.reject(new Error("locked"));
      return store.write(workspaceId, job);
    },
  };
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const stop = startBackgroundTasks(recording, logger);
  await expect
    .poll(() => findWorkspacesWithExpiredResponses(store.read, Date.now(), 10))
    .toEqual([failing.workspaceId]);
  await stop();
  const [first, second, third] = [failing, many, one].map(({ workspaceId }) => workspaceId);
  expect(written.slice(0, 4)).toEqual([first, second, third, second]);
  expect(lines).toMatchObject([{ level: 50, msg: "cleanup failed", err: { message: "locked" } }]);
});

test.each(stores)(
  "expired request counts are deleted in several transactions: %s",
  async (_, newLocation) => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    await store.write(workspaceId, async (scope) => {
      for (let minute = 0; minute < 2 * CLEANUP_BATCH_ROWS + 1; minute += 1)
        await addRequestCount(scope, { minute, passed: 1, refused: 0 });
    });
    const remaining: number[] = [];
    const counting: Store = {
      ...store,
      writeWithoutInvalidation: (job) =>
        store.writeWithoutInvalidation(async (tx) => {
          const result = await job(tx);
          const rows = await tx.selectFrom("request_counts").select("minute").execute();
          // Other tasks write too, but only the cleanup returns a number.
          if (typeof result === "number") remaining.push(rows.length);
          return result;
        }),
    };
    const stop = startBackgroundTasks(counting, pino({ enabled: false }));
    await expect.poll(() => remaining).toEqual([CLEANUP_BATCH_ROWS + 1, 1, 0]);
    await stop();
  },
);
