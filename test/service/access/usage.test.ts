import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Principal } from "../../../src/access/authenticate.js";
import { createKeyForWorkspace, listKeys } from "../../../src/access/operator-keys.js";
import { createUsageRecorder, type RequestCount, type UsageRecorder } from "../../../src/access/usage.js";
import { listRequestCounts } from "../../../src/storage/accounts/request-counts.js";
import { openStore, type Store } from "../../../src/storage/engine/store.js";
import { openTestStore, temporaryFile } from "../storage/open.js";

const START = Date.parse("2030-01-01T00:00:30Z");
const MINUTE = START / 60_000 - 0.5;

// The clock of the wall only: minutes are too long to wait for.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(START);
});
afterEach(() => {
  vi.useRealTimers();
});

async function principalOf(store: Store, workspaceName = "Acme"): Promise<Principal> {
  const { workspaceId } = await createKeyForWorkspace(store, { workspaceName });
  const userId = (await listKeys(store, workspaceName))[0]?.id ?? "";
  return { userId, workspaceId, workspaceName, plan: "free", limit: 100, readOnly: false, storedBytes: 0 };
}

function record(usage: UsageRecorder, principal: Principal, passed: number, refused: number): void {
  for (let n = 0; n < passed; n += 1) usage.record(principal, true);
  for (let n = 0; n < refused; n += 1) usage.record(principal, false);
}

function counts(store: Store, { workspaceId }: Principal): Promise<RequestCount[]> {
  return listRequestCounts(store.read, workspaceId, 0);
}

/** A counter that must be able to write; it is closed before its store. */
function usageOf(store: Store): UsageRecorder {
  const usage = createUsageRecorder(store, (error) => {
    throw error;
  });
  onTestFinished(() => usage.close());
  return usage;
}

test("processes add up their counts by workspace and minute", async () => {
  const store = await openTestStore();
  const [acme, other] = [await principalOf(store), await principalOf(store, "Other")];
  const [one, two] = [usageOf(store), usageOf(store)];
  record(one, acme, 3, 1);
  record(two, acme, 4, 2);
  record(two, other, 1, 0);
  await Promise.all([one.flush(), two.flush()]);
  vi.setSystemTime(START + 60_000);
  record(one, acme, 2, 0);
  await one.close();
  await two.close();
  expect(await counts(store, acme)).toEqual([
    { minute: MINUTE, passed: 7, refused: 3 },
    { minute: MINUTE + 1, passed: 2, refused: 0 },
  ]);
  expect(await counts(store, other)).toEqual([{ minute: MINUTE, passed: 1, refused: 0 }]);
});

test("reading a workspace's usage counts each request once, while others are counted and written", async () => {
  const store = await openTestStore();
  const [acme, other] = [await principalOf(store), await principalOf(store, "Other")];
  const usage = usageOf(store);
  record(usage, other, 5, 0);
  const sum = (counts: readonly RequestCount[]): number =>
    counts.reduce((total, each) => total + each.passed + each.refused, 0);
  let recorded = 0;
  for (let round = 0; round < 50; round += 1) {
    record(usage, acme, 1, 1);
    recorded += 2;
    const flushing = round % 3 === 0 ? usage.flush() : undefined;
    const before = recorded;
    const reading = usage.read(acme.workspaceId);
    record(usage, acme, 1, 0);
    recorded += 1;
    const { lastHour, lastDay } = await reading;
    for (const counts of [lastHour, lastDay]) {
      expect(sum(counts)).toBeGreaterThanOrEqual(before);
      expect(sum(counts)).toBeLessThanOrEqual(recorded);
    }
    await flushing;
    vi.setSystemTime(START + round * 10_000);
  }
  await usage.flush();
  const after = await usage.read(acme.workspaceId);
  expect([sum(after.lastHour), sum(after.lastDay), after.recentlyUsedKeyIds.size]).toEqual([
    recorded,
    recorded,
    0,
  ]);
  record(usage, acme, 1, 0);
  expect([...(await usage.read(acme.workspaceId)).recentlyUsedKeyIds]).toEqual([acme.userId]);
});

test("the last use of a key is written at most once a minute, whichever process sees it", async () => {
  const store = await openTestStore();
  const principal = await principalOf(store);
  const [one, two] = [usageOf(store), usageOf(store)];
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

test("counts are kept until they can be written", async () => {
  const file = temporaryFile();
  const store = await openStore(file);
  const principal = await principalOf(store);
  const errors: unknown[] = [];
  let reachable = false;
  // The one way to have a store that is out of reach for a while: the file itself is always there.
  const flaky: Store = {
    ...store,
    write: (job) => (reachable ? store.write(job) : Promise.reject(new Error("out of reach"))),
  };
  const usage = createUsageRecorder(flaky, (error) => errors.push(error));
  record(usage, principal, 2, 1);
  await usage.flush();
  vi.setSystemTime(START + 60_000);
  record(usage, principal, 5, 0);
  await usage.flush();
  expect(errors).toHaveLength(2);
  expect(await counts(store, principal)).toEqual([]);
  reachable = true;
  await usage.flush();
  expect(await counts(store, principal)).toEqual([
    { minute: MINUTE, passed: 2, refused: 1 },
    { minute: MINUTE + 1, passed: 5, refused: 0 },
  ]);
  await usage.close();
  await store.close();
});

test("counts are deleted after a day", async () => {
  const store = await openTestStore();
  const principal = await principalOf(store);
  const usage = usageOf(store);
  const minutes = async (): Promise<number[]> => (await counts(store, principal)).map(({ minute }) => minute);
  for (const hours of [0, 24, 26]) {
    vi.setSystemTime(START + hours * 3_600_000);
    usage.record(principal, true);
    await usage.flush();
    if (hours === 24) expect(await minutes()).toEqual([MINUTE, MINUTE + 1440]);
  }
  expect(await minutes()).toEqual([MINUTE + 1440, MINUTE + 1560]);
});
