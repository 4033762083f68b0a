import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { newId } from "../../../../src/domain/ids.js";
import { runDueJobs } from "../../../../src/operations/jobs/run-due-jobs.js";
import { insertJob } from "../../../../src/storage/jobs.js";
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
    done: 0,
    total: null,
    createdTime: 0,
  } as const;
  await store.write((tx) => insertJob(tx, { ...job, owner: "" }), workspaceId);

  const running = runDueJobs(store, () => false);
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
