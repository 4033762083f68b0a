import { expect, test } from "vitest";
import { commitBatch } from "../../../../src/operations/jobs/job-handler.js";
import { listJobKinds, runJob } from "../../../../src/operations/jobs/run-job.js";
import { findAllJobs, findDueJobs, insertJob } from "../../../../src/storage/jobs.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";

test("a process that stops releases its job, so that another one need not wait for the end of the lease", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const job = await store.write(workspaceId, (scope) =>
    insertJob(scope, { kind: "remove_values", objectId: databaseId }),
  );
  const findDue = () => findDueJobs(store.read, ["remove_values"], 1, []);
  expect(await findDue()).toEqual([]);
  await runJob(store, job, { isStopped: () => true });
  expect(await findDue()).toMatchObject([{ id: job.id }]);
});

test("each batch adds to the progress of its job, which ends with the last batch", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const job = await store.write(workspaceId, (scope) =>
    insertJob(scope, { kind: "remove_values", objectId: databaseId }),
  );
  const commit = (nextState: "continue" | null) =>
    commitBatch(store, job, async () => ({ doneCount: 3, nextState }));
  for (const doneCount of [3, 6]) {
    await commit("continue");
    expect(await findAllJobs(store.read)).toMatchObject([{ doneCount }]);
  }
  await commit(null);
  expect(await findAllJobs(store.read)).toEqual([]);
});

test("the jobs that requests wait for run in the foreground", () => {
  const foreground = ["convert_values", "add_reverse_links", "move_to_trash", "restore"];
  expect(listJobKinds({ isForeground: true })).toEqual(foreground);
});
