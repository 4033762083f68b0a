import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Principal } from "../../../../src/access/keys/authenticate.js";
import { createKeyAsOperator, listKeys } from "../../../../src/access/keys/operator-keys.js";
import { startWorkspaceDeletion } from "../../../../src/access/workspaces/workspaces.js";
import { REQUEST_COUNT_TTL_MS, USAGE_BATCH_ROWS } from "../../../../src/budgets.js";
import { runJob } from "../../../../src/operations/jobs/run-job.js";
import { type RequestCount, UsageRecorder } from "../../../../src/access/limits/usage.js";
import {
  deleteExpiredRequestCounts,
  findRequestCounts,
} from "../../../../src/storage/access/request-counts.js";
import { openStore } from "../../../../src/storage/engine/open-store.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { reusableStores } from "../../../support/stores.js";
import { openTestStore, createTemporaryPath } from "../../storage/open.js";

const START = Date.parse("2030-01-01T00:00:30Z");
const MINUTE = START / 60_000 - 0.5;

// Fakes `Date`, because a test cannot wait for minutes.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(START);
});
afterEach(() => {
  vi.useRealTimers();
});

async function createPrincipal(store: Store, workspaceName = "Acme"): Promise<Principal> {
  const { workspaceId } = await createKeyAsOperator(store, { workspaceName });
  const userId = (await listKeys(store, workspaceName))[0]?.id ?? "";
  return {
    userId,
    workspaceId,
    workspaceName,
    plan: "free",
    requestLimit: 100,
    readOnly: false,
    countedBytes: 0,
    writtenBytes: 0,
  };
}

function recordRequests(usage: UsageRecorder, principal: Principal, passed: number, refused: number): void {
  for (let n = 0; n < passed; n += 1) usage.record(principal, true);
  for (let n = 0; n < refused; n += 1) usage.record(principal, false);
}

function listCounts(store: Store, { workspaceId }: Principal): Promise<RequestCount[]> {
  return findRequestCounts({ db: store.read, workspaceId }, 0);
}

/** Creates a recorder that fails the test if it cannot write; it is closed before its store. */
function createUsage(store: Store): UsageRecorder {
  const usage = new UsageRecorder(store, (error) => {
    throw error;
  });
  onTestFinished(() => usage.close());
  return usage;
}

test("processes add up their counts by workspace and minute", async () => {
  const store = await openTestStore();
  const [acme, other] = [await createPrincipal(store), await createPrincipal(store, "Other")];
  const [one, two] = [createUsage(store), createUsage(store)];
  recordRequests(one, acme, 3, 1);
  recordRequests(two, acme, 4, 2);
  recordRequests(two, other, 1, 0);
  await Promise.all([one.flush(), two.flush()]);
  vi.setSystemTime(START + 60_000);
  recordRequests(one, acme, 2, 0);
  await one.close();
  await two.close();
  expect(await listCounts(store, acme)).toEqual([
    { minute: MINUTE, passed: 7, refused: 3 },
    { minute: MINUTE + 1, passed: 2, refused: 0 },
  ]);
  expect(await listCounts(store, other)).toEqual([{ minute: MINUTE, passed: 1, refused: 0 }]);
});

test("reading a workspace's usage counts each request once, while others are counted and written", async () => {
  const store = await openTestStore();
  const [acme, other] = [await createPrincipal(store), await createPrincipal(store, "Other")];
  const usage = createUsage(store);
  recordRequests(usage, other, 5, 0);
  const addUp = (counts: readonly RequestCount[]): number =>
    counts.reduce((total, each) => total + each.passed + each.refused, 0);
  let recorded = 0;
  for (let round = 0; round < 50; round += 1) {
    recordRequests(usage, acme, 1, 1);
    recorded += 2;
    const flushing = round % 3 === 0 ? usage.flush() : undefined;
    const before = recorded;
    const reading = usage.flushAndRead(acme.workspaceId);
    recordRequests(usage, acme, 1, 0);
    recorded += 1;
    const { requestCounts } = await reading;
    expect(addUp(requestCounts)).toBeGreaterThanOrEqual(before);
    expect(addUp(requestCounts)).toBeLessThanOrEqual(recorded);
    await flushing;
    vi.setSystemTime(START + round * 10_000);
  }
  await usage.flush();
  expect(addUp((await usage.flushAndRead(acme.workspaceId)).requestCounts)).toBe(recorded);
});

test("the last use of a key is written for its own workspace, even if another one has a key with the same id", async () => {
  const store = await openTestStore();
  const [acme, other] = [await createPrincipal(store), await createPrincipal(store, "Other")];
  await store.write(other.workspaceId, ({ db }) =>
    db.updateTable("api_keys").set({ id: acme.userId }).where("id", "=", other.userId).execute(),
  );
  const usage = createUsage(store);
  const readTimes = async () => (await listKeys(store)).map(({ lastUsedTime }) => lastUsedTime);
  recordRequests(usage, acme, 1, 0);
  await usage.flush();
  expect(await readTimes()).toEqual([START, null]);
  recordRequests(usage, acme, 1, 0);
  recordRequests(usage, { ...other, userId: acme.userId }, 1, 0);
  await usage.flush();
  expect(await readTimes()).toEqual([START, START]);
});

test("the last use of a key is written at most once a minute by any process", async () => {
  const store = await openTestStore();
  const principal = await createPrincipal(store);
  const [one, two] = [createUsage(store), createUsage(store)];
  const lastUsed = async (): Promise<number | null | undefined> => (await listKeys(store))[0]?.lastUsedTime;
  const useAt = async (usage: UsageRecorder, time: number): Promise<void> => {
    vi.setSystemTime(time);
    usage.record(principal, true);
    await usage.flush();
  };
  expect(await lastUsed()).toBeNull();
  await useAt(one, START);
  expect(await lastUsed()).toBe(START);
  await useAt(one, START + 30_000);
  await useAt(two, START + 59_000);
  expect(await lastUsed()).toBe(START);
  await useAt(two, START + 61_000);
  expect(await lastUsed()).toBe(START + 61_000);
  await useAt(one, START + 90_000);
  expect(await lastUsed()).toBe(START + 61_000);
});

test("a request over the rate limit is a use of its key too, but not of other keys", async () => {
  const store = await openTestStore();
  const principal = await createPrincipal(store);
  await createKeyAsOperator(store, { workspaceName: "Acme" });
  const usage = createUsage(store);
  usage.record(principal, false);
  await usage.flush();
  expect((await listKeys(store)).map(({ lastUsedTime }) => lastUsedTime)).toEqual([START, null]);
});

test("counts, uses of keys and written bytes are kept until they can be written", async () => {
  const file = createTemporaryPath();
  const store = await openStore(file);
  const principal = await createPrincipal(store);
  const errors: unknown[] = [];
  let reachable = false;
  // Simulates a store that is unreachable for a while, because the file is always reachable.
  const flaky: Store = {
    ...store,
    writeWithoutInvalidation: (job) =>
      reachable ? store.writeWithoutInvalidation(job) : Promise.reject(new Error("out of reach")),
  };
  const usage = new UsageRecorder(flaky, (error) => errors.push(error));
  store.writtenBytes.add(principal.workspaceId, 1000);
  const storedBytes = store.writtenBytes.get(principal.workspaceId);
  // Expires before the next flush, and is forgotten.
  vi.setSystemTime(START - REQUEST_COUNT_TTL_MS - 60_000);
  recordRequests(usage, principal, 1, 0);
  await usage.flush();
  vi.setSystemTime(START);
  recordRequests(usage, principal, 2, 1);
  await usage.flush();
  vi.setSystemTime(START + 60_000);
  recordRequests(usage, principal, 5, 0);
  await usage.flush();
  expect(errors).toHaveLength(3);
  expect(await listCounts(store, principal)).toEqual([]);
  reachable = true;
  await usage.flush();
  expect(await listCounts(store, principal)).toEqual([
    { minute: MINUTE, passed: 2, refused: 1 },
    { minute: MINUTE + 1, passed: 5, refused: 0 },
  ]);
  expect((await listKeys(store))[0]?.lastUsedTime).toBe(START + 60_000);
  expect(await usage.flushAndRead(principal.workspaceId)).toMatchObject({ storedBytes });
  await usage.close();
  await store.close();
});

test("the usage of many keys is written in transactions of few rows, and each row once", async () => {
  const store = await openTestStore();
  const principal = await createPrincipal(store);
  let writes = 0;
  const counting: Store = {
    ...store,
    writeWithoutInvalidation: (job) => {
      writes += 1;
      return writes === 2 ? Promise.reject(new Error("out of reach")) : store.writeWithoutInvalidation(job);
    },
  };
  const usage = new UsageRecorder(counting, () => {});
  const keys = 2 * USAGE_BATCH_ROWS;
  for (let key = 0; key < keys; key += 1) usage.record({ ...principal, userId: `key ${key}` }, true);
  await usage.flush();
  expect(writes).toBe(2);
  await usage.flush();
  // One of the three parts was written before the failure, and the key count of the workspace with it.
  expect(writes).toBe(4);
  expect(await listCounts(store, principal)).toEqual([{ minute: MINUTE, passed: keys, refused: 0 }]);
  await usage.close();
});

test("counts are hidden and deleted after 25 hours", async () => {
  const store = await openTestStore();
  const principal = await createPrincipal(store);
  const usage = createUsage(store);
  const minutes = async (): Promise<number[]> =>
    (await listCounts(store, principal)).map(({ minute }) => minute);
  for (const hours of [0, 25, 26]) {
    vi.setSystemTime(START + hours * 3_600_000);
    usage.record(principal, true);
    const { requestCounts } = await usage.flushAndRead(principal.workspaceId);
    await store.writeWithoutInvalidation((tx) => deleteExpiredRequestCounts(tx, Date.now(), 100));
    expect(await listCounts(store, principal)).toEqual(requestCounts);
    if (hours === 25) expect(await minutes()).toEqual([MINUTE, MINUTE + 1500]);
  }
  expect(await minutes()).toEqual([MINUTE + 1500, MINUTE + 1560]);
});

test.each(reusableStores)(
  "counts are written although a workspace was deleted in the meantime: %s",
  async (_, newLocation) => {
    const store = await openTestStore(await newLocation());
    const [deleted, other] = [await createPrincipal(store), await createPrincipal(store, "Other")];
    const usage = createUsage(store);
    recordRequests(usage, deleted, 1, 0);
    recordRequests(usage, other, 2, 0);
    await runJob(store, (await startWorkspaceDeletion(store, deleted.workspaceName)).job);
    await usage.flush();
    expect(await listCounts(store, other)).toEqual([{ minute: MINUTE, passed: 2, refused: 0 }]);
    expect(await listCounts(store, deleted)).toEqual([]);
  },
);
