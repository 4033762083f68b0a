import { expect, test, vi } from "vitest";
import { BusyError } from "../../../src/errors.js";
import { FairQueue } from "../../../src/queues/fair-queue.js";
import { LongRequestLimit } from "../../../src/queues/long-request-limit.js";
import { QueueSlot } from "../../../src/queues/queue-slot.js";
import { freezeClock } from "../../support/clock.js";

function openQueue(options: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}): FairQueue {
  return new FairQueue({
    slots: 5,
    slotsPerTenant: 3,
    maxWaitingPerTenant: 10,
    maxWaitMs: 60_000,
    ...options,
  });
}

test("a tenant gets at most its share, and another tenant does not wait", async () => {
  const queue = openQueue();
  const held: string[] = [];
  const acquire = async (tenant: string) => {
    const release = await queue.acquire(tenant);
    held.push(tenant);
    return release;
  };
  const greedy = Array.from({ length: 8 }, () => acquire("greedy"));
  await acquire("modest");
  expect(held).toEqual(["greedy", "greedy", "greedy", "modest"]);
  for (const release of await Promise.all(greedy.slice(0, 3))) release();
  const next = await Promise.all(greedy.slice(3, 6));
  expect(held.filter((tenant) => tenant === "greedy")).toHaveLength(6);
  // Releases all, because waiting requests would be refused during another test.
  for (const release of next) release();
  await Promise.all(greedy.slice(6));
});

test("a tenant gets a smaller share while others use the queue, and all of its share afterwards", async () => {
  freezeClock();
  const queue = openQueue({ slotsPerTenantIfShared: 2 });
  const releases: (() => void)[] = [];
  const request = async (): Promise<void> => void releases.push(await queue.acquire("greedy"));
  (await queue.acquire("modest"))();
  for (let count = 0; count < 6; count += 1) void request();
  const countAdmitted = async (): Promise<number> => {
    await new Promise((resolve) => setImmediate(resolve));
    return releases.length;
  };
  expect(await countAdmitted()).toBe(2);
  vi.advanceTimersByTime(900);
  releases[0]?.();
  expect(await countAdmitted()).toBe(3);
  vi.advanceTimersByTime(200);
  // One replaces the slot that is released, and one more is free.
  releases[1]?.();
  expect(await countAdmitted()).toBe(5);
  for (let index = 2; index < 6; index += 1) {
    releases[index]?.();
    await countAdmitted();
  }
  expect(queue.hasWaiting).toBe(false);
});

test("a slot that is released twice becomes free once", async () => {
  const queue = openQueue({ slots: 1 });
  const release = await queue.acquire("a");
  for (let count = 0; count < 2; count += 1) release();
  const releaseNext = await queue.acquire("a");
  expect(queue.canAdmit("b")).toBe(false);
  releaseNext();
});

test("waiting tenants take turns", async () => {
  const queue = openQueue({ slots: 1, slotsPerTenant: 1 });
  const first = await queue.acquire("a");
  const served: string[] = [];
  const use = async (tenant: string) => {
    const release = await queue.acquire(tenant);
    served.push(tenant);
    release();
  };
  const all = ["a", "a", "a", "b", "b", "c"].map(use);
  first();
  await Promise.all(all);
  expect(served).toEqual(["b", "c", "a", "b", "a", "a"]);
});

/** Holds slots of a queue for some time of a stopped clock. */
function createClients(queue: FairQueue) {
  const served: string[] = [];
  const use = async (tenant: string, milliseconds: number): Promise<void> => {
    const release = await queue.acquire(tenant);
    served.push(tenant);
    vi.advanceTimersByTime(milliseconds);
    release();
  };
  /** Returns the order in which requests are served that wait for the same slot. */
  const serveWaiting = async (...tenants: string[]): Promise<string[]> => {
    const release = await queue.acquire("holder");
    const start = served.length;
    const requests = tenants.map((tenant) => use(tenant, 1));
    release();
    await Promise.all(requests);
    return served.slice(start);
  };
  return { served, use, serveWaiting };
}

test("a tenant that has used little time is served before those that have used much and waited longer", async () => {
  freezeClock();
  const queue = openQueue({ slots: 1, slotsPerTenant: 1 });
  const { served, use } = createClients(queue);
  const releaseFirst = await queue.acquire("a");
  const second = queue.acquire("b");
  const long = ["a", "a", "b"].map((tenant) => use(tenant, 5000));
  vi.advanceTimersByTime(5000);
  releaseFirst();
  const releaseSecond = await second;
  const modest = [use("modest", 10), use("modest", 10)];
  vi.advanceTimersByTime(5000);
  releaseSecond();
  await Promise.all([...long, ...modest]);
  expect(served).toEqual(["modest", "modest", "a", "b", "a"]);
});

test("a tenant with short requests waits for one request of several tenants with long ones", async () => {
  freezeClock();
  const queue = openQueue({ slots: 1, slotsPerTenant: 1 });
  const { served, use } = createClients(queue);
  const first = ["a", "b", "c", "a"].map((tenant) => queue.acquire(tenant));
  for (const turn of first.slice(0, 3)) {
    const release = await turn;
    vi.advanceTimersByTime(5000);
    release();
  }
  const release = await first[3];
  const long = ["b", "c"].map((tenant) => use(tenant, 5000));
  const modest = use("modest", 10);
  release?.();
  await Promise.all([...long, modest]);
  expect(served).toEqual(["modest", "b", "c"]);
});

test("tenants that begin later do not overtake one that has been busy for a minute", async () => {
  freezeClock();
  const queue = openQueue({ slots: 1, slotsPerTenant: 1, maxWaitMs: 600_000 });
  const { served, use } = createClients(queue);
  for (let count = 0; count < 20; count += 1) await use("busy", 1000);
  served.length = 0;
  const release = await queue.acquire("new 0");
  const others = ["new 1", "new 2", "new 1", "new 2", "new 1", "new 2"].map((tenant) => use(tenant, 5000));
  const busy = use("busy", 1000);
  release();
  await Promise.all([...others, busy]);
  expect(served.indexOf("busy")).toBeLessThan(3);
});

test("refuses too many requests of a tenant, and requests that wait too long", async () => {
  const queue = openQueue({ slots: 1, slotsPerTenant: 1, maxWaitingPerTenant: 1, maxWaitMs: 20 });
  const release = await queue.acquire("a");
  const late = expect(queue.acquire("a")).rejects.toThrow("waited too long");
  await expect(queue.acquire("a")).rejects.toThrow(BusyError);
  await late;
  release();
  (await queue.acquire("a"))();
});

test("a closed queue refuses waiting and later requests", async () => {
  const queue = openQueue({ slots: 1, slotsPerTenant: 1 });
  await queue.acquire("a");
  const waiting = ["a", "a", "b"].map((tenant) => queue.acquire(tenant));
  const error = new Error("closed");
  queue.close(error);
  for (const request of [...waiting, queue.acquire("a")]) await expect(request).rejects.toBe(error);
});

test("refuses requests of further tenants at once when many wait, and admits them later", async () => {
  const queue = openQueue({ slots: 1, slotsPerTenant: 1, maxWaiting: 2 });
  const first = await queue.acquire("a");
  const waiting = ["b", "c"].map((tenant) => queue.acquire(tenant));
  await expect(queue.acquire("d")).rejects.toThrow(BusyError);
  first();
  for (const acquired of waiting) (await acquired)();
  (await queue.acquire("d"))();
});

test("when many wait, a request of a tenant with few replaces the last one of the tenant with the most", async () => {
  freezeClock();
  const queue = openQueue({ slots: 1, slotsPerTenant: 1, maxWaiting: 4 });
  const { served, use } = createClients(queue);
  const first = await queue.acquire("a");
  // The second request of "modest" would wait beside as many of "c".
  const requests = ["b", "c", "c", "c", "modest", "modest"].map((tenant) => use(tenant, 0));
  first();
  const refused = { reason: expect.any(BusyError) };
  expect(await Promise.allSettled(requests)).toMatchObject([{}, {}, {}, refused, {}, refused]);
  expect(served).toEqual(["b", "c", "modest", "c"]);
});

test("a request that is aborted while it waits gives up its place", async () => {
  const queue = openQueue({ slots: 1, slotsPerTenant: 1 });
  const release = await queue.acquire("a");
  const left = new AbortController();
  const aborted = expect(queue.acquire("a", left.signal)).rejects.toThrow("left");
  const next = queue.acquire("a");
  left.abort(new Error("left"));
  await aborted;
  release();
  (await next)();
  await expect(queue.acquire("a", left.signal)).rejects.toThrow("left");
});

test("a client that leaves after its request was refused does not remove another waiting request", async () => {
  const queue = openQueue({ slots: 1, slotsPerTenant: 1, maxWaitMs: 20 });
  const release = await queue.acquire("a");
  const left = new AbortController();
  await expect(queue.acquire("a", left.signal)).rejects.toThrow("waited too long");
  const next = queue.acquire("a");
  left.abort(new Error("left"));
  release();
  (await next)();
});

test("tenants with short requests, and new ones, do not wait for long ones of several others", async () => {
  freezeClock();
  const longRequests = { slots: 1, minMs: 500, rememberedFactor: 20 };
  const queue = openQueue({ slots: 2, slotsPerTenant: 1, longRequests });
  const { use, served } = createClients(queue);
  await use("long", 500);
  await use("other long", 500);
  const releaseLong = await queue.acquire("long");
  const requests = [use("other long", 500), use("new", 10), use("short", 500)];
  await new Promise((resolve) => setImmediate(resolve));
  expect(served.slice(2)).toEqual(["new", "short"]);
  // After a long request, the tenant waits like the others.
  requests.push(use("short", 10), use("new", 10));
  releaseLong();
  await Promise.all(requests);
  expect(served.slice(4)).toEqual(["new", "other long", "short"]);
});

test("a tenant whose long request is long ago gets all its slots at once", async () => {
  freezeClock();
  const longRequests = { slots: 1, minMs: 500, rememberedFactor: 20 };
  const queue = openQueue({ slots: 2, slotsPerTenant: 2, longRequests });
  const { use } = createClients(queue);
  await use("a", 500);
  await use("b", 500);
  const release = await queue.acquire("b");
  const waiting = [queue.acquire("a"), queue.acquire("a")];
  vi.advanceTimersByTime(10_001);
  release();
  for (const next of await Promise.all(waiting)) next();
});

test("a tenant counts as one with long requests for a multiple of the duration of the longest", async () => {
  freezeClock();
  const limit = new LongRequestLimit({ slots: 0, minMs: 500, rememberedFactor: 20 });
  limit.admit("a")(499);
  expect(limit.canAdmit("a")).toBe(true);
  limit.admit("a")(1000);
  vi.advanceTimersByTime(5000);
  limit.admit("a")(500);
  vi.advanceTimersByTime(15_000);
  expect(limit.canAdmit("a")).toBe(false);
  vi.advanceTimersByTime(1);
  expect(limit.canAdmit("a")).toBe(true);
});

test("remembers the use of a limited number of tenants while it is never idle", async () => {
  freezeClock();
  const queue = openQueue({ slots: 2, slotsPerTenant: 1 });
  const { use, serveWaiting } = createClients(queue);
  const releaseBusy = await queue.acquire("busy");
  await use("heavy", 5000);
  for (let index = 0; index < 10_000; index += 1) await use(`other ${index}`, 1);
  // The queue has forgotten that the first one has used much.
  expect(await serveWaiting("heavy", "light")).toEqual(["heavy", "light"]);
  releaseBusy();
});

test("a request that gives up its place leaves the places of others of its tenant", async () => {
  const queue = openQueue({ slots: 1, slotsPerTenant: 1 });
  const release = await queue.acquire("a");
  const left = new AbortController();
  const aborted = expect(queue.acquire("b", left.signal)).rejects.toThrow("left");
  const next = queue.acquire("b");
  left.abort(new Error("left"));
  await aborted;
  release();
  (await next)();
});

test("others have the slot of a request during its scan, and the request waits for it afterwards", async () => {
  const queue = openQueue({ slots: 1, slotsPerTenant: 1 });
  const slot = new QueueSlot(queue, "a");
  await slot.acquire();
  const steps: string[] = [];
  await slot.releaseDuring(async () => {
    const release = await queue.acquire("b");
    steps.push("b begins");
    setImmediate(() => {
      steps.push("b ends");
      release();
    });
  });
  steps.push("a continues");
  expect(steps).toEqual(["b begins", "b ends", "a continues"]);
  slot.end();
  (await queue.acquire("b"))();
});

test("a wait during a scan does not acquire the slot before the scan has ended", async () => {
  const queue = openQueue({ slots: 1, slotsPerTenant: 1, maxWaitMs: 20 });
  const slot = new QueueSlot(queue, "a");
  await slot.acquire();
  await slot.releaseDuring(async () => {
    await slot.releaseDuring(async () => {});
    expect(slot.isFree).toBe(true);
  });
  expect(slot.isFree).toBe(false);
  slot.end();
  (await queue.acquire("b"))();
});

test("a request whose signal is aborted after its scan stops waiting for the slot", async () => {
  const queue = openQueue({ slots: 1, slotsPerTenant: 1 });
  const slot = new QueueSlot(queue, "a");
  await slot.acquire();
  const deadline = new AbortController();
  let release = (): void => {};
  const scan = slot.releaseDuring(async () => {
    release = await queue.acquire("b");
  }, deadline.signal);
  setImmediate(() => deadline.abort(new Error("too late")));
  await expect(scan).rejects.toThrow("too late");
  release();
  slot.end();
  (await queue.acquire("b"))();
});

test("a request that ended while its scan still runs does not take the slot again", async () => {
  const queue = openQueue({ slots: 1, slotsPerTenant: 1, maxWaitMs: 20 });
  const slot = new QueueSlot(queue, "a");
  await slot.acquire();
  let endScan = (): void => {};
  const scan = slot.releaseDuring(() => new Promise<void>((resolve) => (endScan = resolve)));
  slot.end();
  endScan();
  await scan;
  (await queue.acquire("b"))();
});

test("a tenant whose requests were refused takes its turn as a new one", async () => {
  const queue = openQueue({ slots: 1, slotsPerTenant: 1, maxWaiting: 3 });
  const { use, served } = createClients(queue);
  freezeClock();
  const release = await queue.acquire("a");
  const left = new AbortController();
  const aborted = expect(queue.acquire("aborted", left.signal)).rejects.toThrow("left");
  const first = use("b", 0);
  const acquired = queue.acquire("c");
  await expect(queue.acquire("refused")).rejects.toThrow(BusyError);
  left.abort(new Error("left"));
  await aborted;
  release();
  await first;
  const releaseSecond = await acquired;
  const others = ["d", "refused", "aborted"].map((tenant) => use(tenant, 0));
  releaseSecond();
  await Promise.all(others);
  expect(served).toEqual(["b", "d", "refused", "aborted"]);
});

test("a tenant's use is forgotten when the queue is idle", async () => {
  freezeClock();
  const queue = openQueue({ slots: 1, slotsPerTenant: 1 });
  const { use, serveWaiting } = createClients(queue);
  await use("heavy", 5000);
  expect(await serveWaiting("heavy", "light")).toEqual(["heavy", "light"]);
});

test("tenants that were only refused do not replace those whose use is remembered", async () => {
  freezeClock();
  const queue = openQueue({ slots: 2, slotsPerTenant: 1, maxWaiting: 2 });
  const { use, serveWaiting } = createClients(queue);
  const releaseBusy = await queue.acquire("busy");
  await use("heavy", 5000);
  const releaseHolder = await queue.acquire("holder");
  const waiting = ["a", "b"].map((tenant) => use(tenant, 0));
  await Promise.allSettled(Array.from({ length: 10_000 }, (_, index) => queue.acquire(`refused ${index}`)));
  releaseHolder();
  await Promise.all(waiting);
  expect(await serveWaiting("heavy", "light")).toEqual(["light", "heavy"]);
  releaseBusy();
});
