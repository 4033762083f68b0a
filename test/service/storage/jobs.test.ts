import { expect, test, vi } from "vitest";
import { newId } from "../../../src/domain/ids.js";
import {
  extendTrashDeletion,
  findDueJobs,
  findIdsOfMovedObjects,
  insertJob,
  type NewJob,
  NO_OWNER,
  releaseJob,
  renewLease,
  requestValueRemoval,
  takeOverJob,
} from "../../../src/storage/jobs.js";
import type { StorageScope } from "../../../src/storage/tables.js";
import { chooseTrashTime, isBeingDeleted } from "../../../src/storage/trash/trash-roots.js";
import { freezeDate } from "../../support/clock.js";
import { explain } from "../../support/explain.js";
import { reusableStores } from "../../support/stores.js";
import { addDatabase } from "./fixtures.js";
import { openTestStore } from "./open.js";

test.each(reusableStores)(
  "one job at a time waits to remove values of a database in %s",
  async (_, newLocation) => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const otherId = newId();
    await store.write(workspaceId, async (scope) => {
      for (const id of [databaseId, otherId, databaseId]) await requestValueRemoval(scope, id);
    });
    const jobs = await store.read.selectFrom("jobs").select("object_id").orderBy("id").execute();
    expect(jobs).toEqual([{ object_id: databaseId }, { object_id: otherId }]);
  },
);

test("a requested removal is not left to a job that runs, or that does something else", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  await store.write(workspaceId, async (scope) => {
    await insertJob(scope, { kind: "remove_values", objectId: databaseId });
    await insertJob(scope, { kind: "restore", objectId: databaseId, owner: NO_OWNER });
    await insertJob(scope, { kind: "empty_trash", objectId: workspaceId });
    await requestValueRemoval(scope, databaseId);
    expect(await extendTrashDeletion(scope, Date.now())).toBe(false);
  });
  const jobs = await store.read.selectFrom("jobs").select("kind").orderBy("id").execute();
  expect(jobs.map(({ kind }) => kind)).toEqual(["remove_values", "restore", "empty_trash", "remove_values"]);
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
    await store.write(neverRun[0].workspaceId, (scope) => requestValueRemoval(scope, newId()));
    await release(released[1]);
    await release(released[0]);
    const due = await findDueJobs(store.read, ["remove_values"], 10, []);
    expect(due.map(({ id }) => id)).toEqual([...neverRun, released[1], released[0]].map(({ job }) => job.id));
  },
);

test.each<[string, (scope: StorageScope) => Promise<unknown>, RegExp[]]>([
  [
    "the due jobs",
    ({ db }) => findDueJobs(db, ["restore", "remove_values"], 10, ["an excluded workspace"]),
    [
      /SEARCH jobs USING COVERING INDEX \w+ \(workspace_id>\?\)/,
      /(?:SEARCH jobs USING INDEX jobs_by_kind \(workspace_id=\? AND kind=\?\).*){2}/,
      /SEARCH jobs USING INDEX \w+ \(workspace_id=\? AND id=\?\)/,
    ],
  ],
  [
    "a waiting removal of values",
    (scope) => requestValueRemoval(scope, "a database"),
    [/jobs_by_object \(workspace_id=\? AND kind=\? AND object_id=\?\)/],
  ],
  [
    "the moves in progress",
    (scope) => findIdsOfMovedObjects(scope, 100),
    [/jobs_by_object \(workspace_id=\? AND kind=\?\)/],
  ],
  [
    "a job that empties the trash",
    (scope) => chooseTrashTime(scope, 0),
    [/jobs_by_\w+ \(workspace_id=\? AND kind=\?\)/],
  ],
  [
    "a job that deletes an object",
    (scope) => isBeingDeleted(scope, { id: "a page", trashRoot: "a page", lastEditedTime: 0 }),
    [
      /jobs_by_object \(workspace_id=\? AND kind=\? AND object_id=\?\)/,
      /jobs_by_\w+ \(workspace_id=\? AND kind=\?\)"/,
    ],
  ],
])("%s: found with an index, because a workspace can have thousands of jobs", async (_, read, searches) => {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  await store.write(workspaceId, (scope) => requestValueRemoval(scope, "a database"));
  const plan = await explain(store.read, (db) => read({ db, workspaceId }));
  for (const search of searches) expect(plan).toMatch(search);
  expect(plan).not.toMatch(/SCAN jobs"/);
});
