import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { UsageRecorder } from "../../../src/access/limits/usage.js";
import { insertPage } from "../../../src/storage/pages/pages.js";
import { findRequestCounts } from "../../../src/storage/access/request-counts.js";
import { emptyPage } from "../../support/objects.js";
import { openSecondConnection } from "../../support/stores.js";
import { addDatabase } from "./fixtures.js";
import { openTestStore, createTemporaryPath } from "./open.js";

const KEY = {
  userId: "0192f000-0000-7000-8000-000000000001",
  workspaceName: "A",
  plan: "free",
  requestLimit: 100,
  readOnly: false,
  countedBytes: 0,
  writtenBytes: 0,
} as const;

test.each([
  ["a file", () => createTemporaryPath()],
  ["memory", () => ":memory:"],
])(
  "in %s: a write changes the generation of its workspace, and a write without a workspace those of all",
  async (_, location) => {
    const store = await openTestStore(location());
    const one = await addDatabase(store);
    const other = await addDatabase(store);
    const getGenerations = () => [one, other].map(({ workspaceId }) => store.getGeneration(workspaceId));
    const before = getGenerations();
    expect(getGenerations()).toEqual(before);
    await store.write(one.workspaceId, (scope) => insertPage(scope, emptyPage(one.databaseId)));
    const between = getGenerations();
    expect(between).toEqual([expect.any(Number), before[1]]);
    expect(between[0]).not.toBe(before[0]);
    await store.writeServiceWide((tx) =>
      insertPage({ db: tx, workspaceId: one.workspaceId }, emptyPage(one.databaseId)),
    );
    const after = getGenerations();
    expect(after[0]).not.toBe(between[0]);
    expect(after[1]).not.toBe(between[1]);
    await setImmediate();
    expect(getGenerations()).toEqual(after);
  },
);

test("a write that fails changes the generation, because a COMMIT that failed can still be durable", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const fail = () => Promise.reject(new Error("failed"));
  for (const write of [() => store.write(workspaceId, fail), () => store.writeServiceWide(fail)]) {
    const before = store.getGeneration(workspaceId);
    await expect(write()).rejects.toThrow("failed");
    expect(store.getGeneration(workspaceId)).not.toBe(before);
  }
});

test("a commit of another program changes the generation of every workspace in the next turn of the event loop", async () => {
  const location = createTemporaryPath();
  const store = await openTestStore(location);
  const { workspaceId } = await addDatabase(store);
  const other = await openSecondConnection(location);
  let generation = store.getGeneration(workspaceId);
  for (const [statement, changes] of [
    ["UPDATE workspaces SET name = 'a'", true],
    ["BEGIN; UPDATE workspaces SET name = 'b'", false],
    ["COMMIT", true],
    ["SELECT * FROM workspaces", false],
  ] as const) {
    await other(statement);
    await setImmediate();
    const now = store.getGeneration(workspaceId);
    expect(now !== generation, statement).toBe(changes);
    generation = now;
  }
});

test("writes that do not affect responses change the generation only for other processes", async () => {
  const location = createTemporaryPath();
  const store = await openTestStore(location);
  const { workspaceId } = await addDatabase(store);
  const second = await openTestStore(location);
  const [here, there] = [store.getGeneration(workspaceId), second.getGeneration(workspaceId)];
  const usage = new UsageRecorder(store, (error) => expect.unreachable(String(error)));
  usage.record({ ...KEY, workspaceId }, true);
  await usage.close();
  expect(await findRequestCounts({ db: store.read, workspaceId }, 0)).toMatchObject([{ passed: 1 }]);
  await setImmediate();
  expect(store.getGeneration(workspaceId)).toBe(here);
  expect(second.getGeneration(workspaceId)).not.toBe(there);
  // Commits of the other process are still detected after a commit of this process.
  await second.write(workspaceId, ({ db: tx }) => tx.updateTable("workspaces").set({ name: "b" }).execute());
  await store.writeWithoutInvalidation((tx) => tx.deleteFrom("request_counts").execute());
  await setImmediate();
  expect(store.getGeneration(workspaceId)).not.toBe(here);
});

test("a closed store has no generations", async () => {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  await setImmediate();
  await store.close();
  expect(store.getGeneration(workspaceId)).toBeUndefined();
});
