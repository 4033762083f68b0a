import { sql } from "kysely";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { CLEANUP_BATCH_ROWS, SESSION_IDLE_TIMEOUT_MS } from "../../src/budgets.js";
import { MINUTE_MS } from "../../src/units.js";
import { newId } from "../../src/domain/ids.js";
import { startBackgroundTasks } from "../../src/service/background-tasks.js";
import type { Store } from "../../src/storage/engine/store.js";
import { insertInvitation } from "../../src/storage/access/invitations.js";
import { addRequestCount } from "../../src/storage/access/request-counts.js";
import { insertSession } from "../../src/storage/access/sessions.js";
import { findWorkspacesWithExpiredResponses, storeResponse } from "../../src/storage/idempotency.js";
import { findAllJobs, insertJob, NO_OWNER } from "../../src/storage/jobs.js";
import type { StorageScope } from "../../src/storage/tables.js";
import { addDatabase } from "./storage/fixtures.js";
import { openTestStore } from "./storage/open.js";
import { reusableStores } from "../support/stores.js";

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

test("the background tasks run interrupted jobs and background jobs", async () => {
  const store = await openTestStore();
  for (const kind of ["move_to_trash", "remove_values"] as const) {
    const { workspaceId, databaseId } = await addDatabase(store);
    const job = { kind, objectId: databaseId, owner: NO_OWNER };
    await store.write(workspaceId, (scope) => insertJob(scope, job));
  }
  const stop = startBackgroundTasks(store, pino({ enabled: false }));
  await expect.poll(() => findAllJobs(store.read)).toEqual([]);
  await stop();
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
  await startBackgroundTasks(recording, logger)();
  expect(written).toEqual([]);
  const stop = startBackgroundTasks(recording, logger);
  await expect
    .poll(() => findWorkspacesWithExpiredResponses(store.read, Date.now(), 10))
    .toEqual([failing.workspaceId]);
  await stop();
  const [first, second, third] = [failing, many, one].map(({ workspaceId }) => workspaceId);
  expect(written.slice(0, 4)).toEqual([first, second, third, second]);
  expect(lines).toMatchObject([{ level: 50, msg: "cleanup failed", err: { message: "locked" } }]);
});

const EXPIRED_COUNT = 2 * CLEANUP_BATCH_ROWS + 1;

/** Functions that insert a row into a table; `index` makes it unique. The row with index 0 has not expired. */
const EXPIRING_ROWS = {
  request_counts: (scope: StorageScope, index: number) =>
    addRequestCount(scope, {
      minute: index === 0 ? Math.floor(Date.now() / MINUTE_MS) : index,
      passed: 1,
      refused: 0,
    }),
  invitations: (scope: StorageScope, index: number) =>
    insertInvitation(scope, {
      id: newId(),
      hash: String(index),
      role: "member",
      createdBy: "operator",
      createdTime: 0,
      expiresTime: index === 0 ? Date.now() + MINUTE_MS : index,
    }),
  sessions: ({ db, workspaceId }: StorageScope, index: number) =>
    insertSession(
      db,
      { hash: String(index), accountId: "ada", workspaceId, csrfToken: "" },
      index === 0 ? Date.now() - SESSION_IDLE_TIMEOUT_MS + MINUTE_MS : index,
    ),
};

describe.each(["request_counts", "invitations", "sessions"] as const)("%s", (table) => {
  test.each(reusableStores)(
    "expired rows are deleted in several transactions, until the tasks are stopped: %s",
    async (_, newLocation) => {
      const store = await openTestStore(await newLocation());
      const { workspaceId } = await addDatabase(store);
      await store.write(workspaceId, async (scope) => {
        for (let index = 0; index <= EXPIRED_COUNT; index += 1) await EXPIRING_ROWS[table](scope, index);
      });
      /** Numbers of rows after each transaction that changed it. */
      const counts: number[] = [];
      const counting: Store = {
        ...store,
        writeWithoutInvalidation: (job) =>
          store.writeWithoutInvalidation(async (tx) => {
            const result = await job(tx);
            const { length } = await tx.selectFrom(table).select("workspace_id").execute();
            if (length !== (counts.at(-1) ?? EXPIRED_COUNT + 1)) counts.push(length);
            return result;
          }),
      };
      const start = () => startBackgroundTasks(counting, pino({ enabled: false }));
      await start()();
      expect(counts.length).toBeLessThan(2);
      const stop = start();
      await expect.poll(() => counts).toEqual([CLEANUP_BATCH_ROWS + 2, 2, 1]);
      await stop();
    },
  );
});
