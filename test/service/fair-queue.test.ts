import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { BusyError } from "../../src/storage/engine/errors.js";
import { FairQueue } from "../../src/fair-queue.js";
import { freezeClock } from "../support/clock.js";

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

test("a tenant that has used little time is served before those that have used much and waited longer", async () => {
  const queue = openQueue({ slots: 1, slotsPerTenant: 1 });
  for (const tenant of ["a", "b"]) {
    const release = await queue.acquire(tenant);
    await sleep(250);
    release();
  }
  const release = await queue.acquire("a");
  const served: string[] = [];
  const waiting = ["b", "a", "modest"].map(async (tenant) => {
    const releaseNext = await queue.acquire(tenant);
    served.push(tenant);
    releaseNext();
  });
  release();
  await Promise.all(waiting);
  expect(served[0]).toBe("modest");
});

test("the use of slots counts for a minute", async () => {
  freezeClock();
  const queue = openQueue({ slots: 1, slotsPerTenant: 1 });
  const use = async (tenant: string, milliseconds: number) => {
    const release = await queue.acquire(tenant);
    vi.advanceTimersByTime(milliseconds);
    release();
  };
  await use("a", 5000);
  vi.advanceTimersByTime(60_000);
  await use("b", 1000);
  const release = await queue.acquire("c");
  const served: string[] = [];
  const waiting = ["b", "a"].map(async (tenant) => {
    const releaseNext = await queue.acquire(tenant);
    served.push(tenant);
    releaseNext();
  });
  release();
  await Promise.all(waiting);
  expect(served).toEqual(["a", "b"]);
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
