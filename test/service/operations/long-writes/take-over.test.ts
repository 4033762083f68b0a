import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { newId } from "../../../../src/domain/ids.js";
import { runDueJobs } from "../../../../src/operations/jobs/run-due-jobs.js";
import { openSqlite } from "../../../../src/storage/engine/dialect.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { findAllJobs, insertJob, NO_OWNER, takeOverJob } from "../../../../src/storage/jobs.js";
import { reusableStores } from "../../../support/stores.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";
import { failTest, fillPages, listStoredPropertyIds, removeCodeFromSchema } from "./filled-service.js";

const PAGES = 2000;

test("a process stops a job that another process has taken over", async () => {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  const { databaseId } = await fillPages(store, workspaceId, PAGES);
  await removeCodeFromSchema(store, workspaceId, databaseId);
  const job = {
    id: newId(),
    kind: "remove_values",
    objectId: databaseId,
    doneCount: 0,
    totalCount: null,
    createdTime: 0,
  } as const;
  await store.write(workspaceId, (scope) => insertJob(scope, { ...job, owner: NO_OWNER }));

  const running = runDueJobs(store, { isForeground: false, isStopped: () => false, onError: failTest });
  const read = () => store.read.selectFrom("jobs").select(["done_count", "owner"]).executeTakeFirstOrThrow();
  while ((await read()).done_count === 0) await sleep(1);
  const owner = newId();
  await store.write(workspaceId, ({ db: tx }) => tx.updateTable("jobs").set({ owner }).execute());
  await running;
  const left = await read();
  expect(left.owner).toBe(owner);
  expect(left.done_count).toBeLessThan(PAGES);
  expect(await listStoredPropertyIds(store, databaseId)).toContain("code");
});

test("a job that is taken over counts its progress anew, because it starts at the beginning", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  await store.write(workspaceId, async (scope) => {
    const progress = { doneCount: 400, totalCount: 1000, owner: NO_OWNER };
    const job = await insertJob(scope, { kind: "remove_values", objectId: databaseId, ...progress });
    const taken = await takeOverJob(scope, job);
    expect(taken).toMatchObject({ id: job.id, doneCount: 0, totalCount: 1000 });
    expect(taken?.owner).not.toBe(NO_OWNER);
    // Its lease has begun.
    expect(await takeOverJob(scope, job)).toBeUndefined();
  });
});

test("an interrupted move does not wait for the removals of other workspaces", async () => {
  const store = await openTestStore();
  const hostile = await addDatabase(store);
  await store.write(hostile.workspaceId, async (scope) => {
    for (let count = 0; count < 20; count += 1) {
      await insertJob(scope, { kind: "remove_values", objectId: hostile.databaseId, owner: NO_OWNER });
    }
  });
  const { workspaceId, databaseId } = await addDatabase(store);
  await store.write(workspaceId, async (scope) => {
    await insertJob(scope, { kind: "move_to_trash", objectId: databaseId });
    await scope.db
      .updateTable("jobs")
      .set({ lease_time: 1 })
      .where("workspace_id", "=", workspaceId)
      .execute();
  });

  await runDueJobs(store, { isForeground: true, isStopped: () => false, onError: failTest });
  const jobs = await store.read.selectFrom("jobs").select("workspace_id").execute();
  expect(new Set(jobs.map((job) => job.workspace_id))).toEqual(new Set([hostile.workspaceId]));
  expect(jobs).toHaveLength(20);
});

test.each(reusableStores)(
  "a removal does not wait for those of another workspace, on %s",
  async (_name, newLocation) => {
    const store = await openTestStore(await newLocation());
    const hostile = await addDatabase(store);
    const { databaseId } = await fillPages(store, hostile.workspaceId, PAGES);
    await removeCodeFromSchema(store, hostile.workspaceId, databaseId);
    const remove = (workspaceId: string, objectId: string) =>
      store.write(workspaceId, (scope) =>
        insertJob(scope, { kind: "remove_values", objectId, owner: NO_OWNER }),
      );
    for (let count = 0; count < 20; count += 1) await remove(hostile.workspaceId, databaseId);
    const other = await addDatabase(store);
    await remove(other.workspaceId, other.databaseId);

    let isStopped = false;
    const running = runDueJobs(store, { isForeground: false, isStopped: () => isStopped, onError: failTest });
    const countJobs = (workspaceId: string) =>
      findAllJobs(store.read).then((jobs) => jobs.filter((job) => job.workspaceId === workspaceId).length);
    while ((await countJobs(other.workspaceId)) > 0) await sleep(1);
    expect(await countJobs(hostile.workspaceId)).toBe(20);
    // A removal that is requested later does not wait either.
    await remove(other.workspaceId, other.databaseId);
    while ((await countJobs(other.workspaceId)) > 0) await sleep(1);
    expect(await countJobs(hostile.workspaceId)).toBeGreaterThan(17);
    isStopped = true;
    await running;
  },
);

test.each([
  ["removal", "remove_values", false],
  ["move", "move_to_trash", true],
] as const)("a %s that fails is reported and does not end the others", async (_, kind, isForeground) => {
  const store = await openTestStore();
  const failing = await addDatabase(store);
  const other = await addDatabase(store);
  for (const { workspaceId, databaseId } of [failing, other]) {
    const job = { kind, objectId: databaseId, owner: NO_OWNER };
    await store.write(workspaceId, (scope) => insertJob(scope, job));
  }
  const error = new Error("The disk is full.");
  const { write } = store;
  store.write = (workspaceId, run) =>
    workspaceId === failing.workspaceId ? Promise.reject(error) : write(workspaceId, run);
  const errors: unknown[] = [];
  const read = () => store.read.selectFrom("jobs").select("workspace_id").execute();
  let isStopped = false;
  const running = runDueJobs(store, {
    isForeground,
    isStopped: () => isStopped,
    onError: (each) => errors.push(each),
  });
  await expect.poll(read).toEqual([{ workspace_id: failing.workspaceId }]);
  isStopped = true;
  await running;
  expect(errors).toContain(error);
});

test("a failed search for removals is reported, and does not end the removals in progress", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const job = { kind: "remove_values", objectId: databaseId, owner: NO_OWNER } as const;
  await store.write(workspaceId, (scope) => insertJob(scope, job));
  const error = new Error("The database is unreachable.");
  const unreachable: Store["read"] = openSqlite({ executeQuery: () => Promise.reject(error) });
  const searched = new AbortController();
  let searchCount = 0;
  const failing: Store = {
    ...store,
    get read() {
      searchCount += 1;
      return searchCount === 2 ? unreachable : store.read;
    },
    async write(id, run) {
      if (!searched.signal.aborted) await once(searched.signal, "abort");
      return store.write(id, run);
    },
  };
  const results: unknown[] = [];
  const running = runDueJobs(failing, {
    isForeground: false,
    isStopped: () => false,
    onError(each) {
      results.push(each);
      searched.abort();
    },
  });
  await running.finally(() => results.push("end"));
  expect(results).toEqual([error, "end"]);
  expect(await findAllJobs(store.read)).toEqual([]);
});

test("the removals of several workspaces never run two batches at the same time", async () => {
  const store = await openTestStore(":memory:");
  for (let count = 0; count < 3; count += 1) {
    const { workspaceId } = await addDatabase(store);
    const { databaseId } = await fillPages(store, workspaceId, 300);
    await store.write(workspaceId, (scope) =>
      insertJob(scope, { kind: "remove_values", objectId: databaseId, owner: NO_OWNER }),
    );
  }
  const writes = { all: 0, running: 0, together: 0 };
  const { write } = store;
  store.write = async (id, run) => {
    writes.all += 1;
    // The first writes take over the jobs.
    if (writes.all <= 3) return write(id, run);
    writes.running += 1;
    writes.together = Math.max(writes.together, writes.running);
    return write(id, run).finally(() => (writes.running -= 1));
  };
  await runDueJobs(store, { isForeground: false, isStopped: () => false, onError: failTest });
  expect(writes.all).toBeGreaterThan(9);
  expect(writes.together).toBe(1);
});
