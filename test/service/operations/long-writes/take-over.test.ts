import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { newId } from "../../../../src/domain/ids.js";
import { runInterruptedJobs, runRemovals } from "../../../../src/operations/jobs/run-due-jobs.js";
import {
  findWorkspaceJobs,
  insertJob,
  NO_OWNER,
  requestRemoval,
  takeOverJob,
} from "../../../../src/storage/jobs.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";
import { fillPages, listStoredPropertyIds } from "./filled-service.js";

const PAGES = 2000;

test("a process stops a job that another process has taken over", async () => {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  const { databaseId } = await fillPages(store, workspaceId, PAGES);
  const job = {
    workspaceId,
    id: newId(),
    kind: "remove_values",
    objectId: databaseId,
    propertyIds: ["code"],
    doneCount: 0,
    totalCount: null,
    createdTime: 0,
  } as const;
  await store.write((tx) => insertJob(tx, { ...job, owner: NO_OWNER }), workspaceId);

  const running = runRemovals(store, () => false);
  const read = () => store.read.selectFrom("jobs").select(["done", "owner"]).executeTakeFirstOrThrow();
  while ((await read()).done === 0) await sleep(1);
  const owner = newId();
  await store.write((tx) => tx.updateTable("jobs").set({ owner }).execute(), workspaceId);
  await running;
  const left = await read();
  expect(left.owner).toBe(owner);
  expect(left.done).toBeLessThan(PAGES);
  expect(await listStoredPropertyIds(store, databaseId)).toContain("code");
});

test("a job that is taken over counts its progress anew, because it starts at the beginning", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  await store.write(async (tx) => {
    const progress = { doneCount: 400, totalCount: 1000, owner: NO_OWNER };
    const job = await insertJob(tx, {
      workspaceId,
      kind: "remove_values",
      objectId: databaseId,
      ...progress,
    });
    const taken = await takeOverJob(tx, job);
    expect(taken).toMatchObject({ id: job.id, doneCount: 0, totalCount: 1000 });
    expect(taken?.owner).not.toBe(NO_OWNER);
    // Its lease has begun.
    expect(await takeOverJob(tx, job)).toBeUndefined();
  }, workspaceId);
});

test("an interrupted move does not wait for the removals of other workspaces", async () => {
  const store = await openTestStore();
  const hostile = await addDatabase(store);
  await store.write(async (tx) => {
    for (let count = 0; count < 20; count += 1) {
      await insertJob(tx, {
        workspaceId: hostile.workspaceId,
        kind: "remove_values",
        objectId: hostile.databaseId,
        owner: NO_OWNER,
      });
    }
  }, hostile.workspaceId);
  const { workspaceId, databaseId } = await addDatabase(store);
  await store.write(async (tx) => {
    await insertJob(tx, { workspaceId, kind: "move_to_trash", objectId: databaseId });
    await tx.updateTable("jobs").set({ lease_time: 1 }).where("workspace_id", "=", workspaceId).execute();
  }, workspaceId);

  await runInterruptedJobs(store, () => false);
  const jobs = await store.read.selectFrom("jobs").select("workspace_id").execute();
  expect(new Set(jobs.map((job) => job.workspace_id))).toEqual(new Set([hostile.workspaceId]));
  expect(jobs).toHaveLength(20);
});

test("removals of properties of one database wait as one job", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const otherId = newId();
  await store.write(async (tx) => {
    for (const id of ["a", "b", "c"]) await requestRemoval(tx, workspaceId, databaseId, [id]);
    await requestRemoval(tx, workspaceId, otherId, ["d"]);
  }, workspaceId);
  const jobs = await findWorkspaceJobs(store.read, workspaceId);
  const common = { kind: "remove_values", owner: NO_OWNER };
  expect(jobs.toSorted((one, other) => other.propertyIds.length - one.propertyIds.length)).toMatchObject([
    { ...common, objectId: databaseId, propertyIds: ["a", "b", "c"] },
    { ...common, objectId: otherId, propertyIds: ["d"] },
  ]);
});
