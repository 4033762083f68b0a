import { expect, test, vi } from "vitest";
import { newId } from "../../../src/domain/ids.js";
import {
  extendTrashDeletion,
  findDueJobs,
  insertJob,
  type NewJob,
  NO_OWNER,
  releaseJob,
  renewLease,
  requestValueRemoval,
  takeOverJob,
} from "../../../src/storage/jobs.js";
import { freezeDate } from "../../support/clock.js";
import { MAX_IDS } from "../../../src/storage/sql-helpers.js";
import { reusableStores } from "../../support/stores.js";
import { addDatabase } from "./fixtures.js";
import { openTestStore } from "./open.js";

test.each(reusableStores)(
  "a job that removes values in %s has the properties of one database",
  async (_, newLocation) => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const otherId = newId();
    await store.write(workspaceId, async (scope) => {
      await requestValueRemoval(scope, databaseId, ["one"]);
      await requestValueRemoval(scope, otherId, ["two"]);
      await requestValueRemoval(scope, databaseId, ["three"]);
    });
    const jobs = await store.read
      .selectFrom("jobs")
      .select(["object_id", "property_ids"])
      .orderBy("id")
      .execute();
    expect(jobs).toEqual([
      { object_id: databaseId, property_ids: '["one","three"]' },
      { object_id: otherId, property_ids: '["two"]' },
    ]);
  },
);

test("a job that removes values has at most MAX_IDS properties", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const ids = Array.from({ length: MAX_IDS - 1 }, (_, index) => `property ${index}`);
  await store.write(workspaceId, async (scope) => {
    for (const part of [ids, ["last"], ["next"]]) await requestValueRemoval(scope, databaseId, part);
  });
  const jobs = await store.read.selectFrom("jobs").select("property_ids").orderBy("id").execute();
  expect(jobs.map((job) => JSON.parse(job.property_ids))).toEqual([[...ids, "last"], ["next"]]);
});

test("removals are not added to a job that runs, or that does something else", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  await store.write(workspaceId, async (scope) => {
    await insertJob(scope, { kind: "remove_values", objectId: databaseId, propertyIds: ["one"] });
    await insertJob(scope, { kind: "restore", objectId: databaseId, owner: NO_OWNER });
    await insertJob(scope, { kind: "empty_trash", objectId: workspaceId });
    await requestValueRemoval(scope, databaseId, ["two"]);
    expect(await extendTrashDeletion(scope, Date.now())).toBe(false);
  });
  const jobs = await store.read.selectFrom("jobs").select(["kind", "property_ids"]).orderBy("id").execute();
  expect(jobs.map((job) => [job.kind, JSON.parse(job.property_ids)])).toEqual([
    ["remove_values", ["one"]],
    ["restore", []],
    ["empty_trash", []],
    ["remove_values", ["two"]],
  ]);
});

test("a run neither renews nor ends the lease of a job that another process has taken over", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const start = freezeDate();
  await store.write(workspaceId, async (scope) => {
    const job = await insertJob(scope, { kind: "remove_values", objectId: databaseId });
    expect(await takeOverJob(scope, job)).toBeUndefined();
    vi.setSystemTime(start + 60_000);
    const taken = await takeOverJob(scope, job);
    await releaseJob(scope, job);
    expect([await renewLease(scope, job), await renewLease(scope, taken ?? job)]).toEqual([false, true]);
  });
});

test.each(reusableStores)(
  "the due jobs in %s are the oldest of each workspace: first those never run, then those that wait the longest",
  async (_, newLocation) => {
    const store = await openTestStore(await newLocation());
    freezeDate();
    const databases: Awaited<ReturnType<typeof addDatabase>>[] = [];
    for (let count = 0; count < 5; count += 1) databases.push(await addDatabase(store));
    /** Adds a job to the last workspace without one, so that jobs do not have the order of their workspaces. */
    const addJob = async (fields: Partial<NewJob> = {}) => {
      const { workspaceId, databaseId } = databases.pop() ?? (await addDatabase(store));
      const job = await store.write(workspaceId, (scope) =>
        insertJob(scope, { kind: "remove_values", objectId: databaseId, ...fields }),
      );
      return { workspaceId, job };
    };
    const release = ({ workspaceId, job }: Awaited<ReturnType<typeof addJob>>) => {
      vi.setSystemTime(Date.now() + 1000);
      return store.write(workspaceId, (scope) => releaseJob(scope, job));
    };
    const released = [await addJob(), await addJob()] as const;
    // Its lease has not ended.
    await addJob();
    const neverRun = [await addJob({ owner: NO_OWNER }), await addJob({ owner: NO_OWNER })] as const;
    await store.write(neverRun[0].workspaceId, (scope) => requestValueRemoval(scope, newId(), ["one"]));
    await release(released[1]);
    await release(released[0]);
    const due = await findDueJobs(store.read, ["remove_values"], 10, []);
    expect(due.map(({ id }) => id)).toEqual([...neverRun, released[1], released[0]].map(({ job }) => job.id));
  },
);
