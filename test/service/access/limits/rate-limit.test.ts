import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createRateLimiter } from "../../../../src/access/limits/rate-limit.js";
import { MAX_ANONYMOUS_REQUESTS_PER_MINUTE } from "../../../../src/budgets.js";
import { createMemoryCounterFactory } from "../../../../src/access/limits/counters.js";
import { Random, takeSeed } from "../../../support/random.js";
import { toNetwork } from "../../../../src/access/limits/client-address.js";

const START = Date.parse("2030-01-01T00:00:00.250Z");
const START_SECONDS = Math.floor(START / 1000);

// Fakes the clocks, because a test cannot wait a minute.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  vi.setSystemTime(START);
});
afterEach(() => {
  vi.useRealTimers();
});

test("admits exactly the limit, each request with its own remaining count", async () => {
  const limiter = createRateLimiter(createMemoryCounterFactory());
  const results = await Promise.all(
    Array.from({ length: 1000 }, () => limiter.countWorkspaceRequest("w", 100)),
  );
  const passed = results.filter((result) => result.allowed);
  expect(passed.map((result) => result.remaining)).toEqual(Array.from({ length: 100 }, (_, n) => 99 - n));
  for (const result of results.slice(100)) expect(result).toMatchObject({ allowed: false, remaining: 0 });
});

test("the window lasts one minute from its first request", async () => {
  const limiter = createRateLimiter(createMemoryCounterFactory());
  expect(await limiter.countWorkspaceRequest("w", 1)).toEqual({
    limit: 1,
    remaining: 0,
    resetUnixSeconds: START_SECONDS + 61,
    allowed: true,
    isFirstRefused: false,
    retryAfterSeconds: 60,
  });
  vi.advanceTimersByTime(59_500);
  expect(await limiter.countWorkspaceRequest("w", 1)).toEqual({
    limit: 1,
    remaining: 0,
    resetUnixSeconds: START_SECONDS + 61,
    allowed: false,
    isFirstRefused: true,
    retryAfterSeconds: 1,
  });
  vi.advanceTimersByTime(500);
  expect(await limiter.countWorkspaceRequest("w", 1)).toMatchObject({
    allowed: true,
    resetUnixSeconds: START_SECONDS + 121,
  });
});

test("at most the limit passes in each window, and at most twice the limit in any minute", async () => {
  const random = new Random(takeSeed());
  const limiter = createRateLimiter(createMemoryCounterFactory());
  const passed: { time: number; window: number }[] = [];
  for (let minute = 0; minute < 40 * 60_000;) {
    const step = random.chance(0.02) ? random.below(90_000) : random.below(900);
    minute += step;
    vi.advanceTimersByTime(step);
    for (let burst = random.below(20); burst > 0; burst -= 1) {
      const { allowed, resetUnixSeconds } = await limiter.countWorkspaceRequest("w", 50);
      if (allowed) passed.push({ time: Date.now(), window: resetUnixSeconds });
    }
  }
  const windows = new Map<number, number>();
  let [first, most] = [0, 0];
  for (const [last, { time, window }] of passed.entries()) {
    windows.set(window, (windows.get(window) ?? 0) + 1);
    while (time - (passed[first]?.time ?? time) >= 60_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  console.log(`${windows.size} windows, at most ${most} in a minute with a limit of 50`);
  expect(Math.max(...windows.values())).toBe(50);
  expect(most).toBeLessThanOrEqual(100);
  expect(most).toBeGreaterThan(50);
});

test("a refused client waits for a second at least", async () => {
  const ended = async () => ({ consumedPoints: 2, msBeforeNext: 0 });
  const counters = {
    ...createMemoryCounterFactory(),
    createCounter: () => ({ consume: ended, delete: ended }),
  };
  const { allowed, retryAfterSeconds } = await createRateLimiter(counters).countWorkspaceRequest("w", 1);
  expect([allowed, retryAfterSeconds]).toEqual([false, 1]);
});

test("workspaces do not share a count", async () => {
  const limiter = createRateLimiter(createMemoryCounterFactory());
  await limiter.countWorkspaceRequest("one", 1);
  expect(await limiter.countWorkspaceRequest("one", 1)).toMatchObject({ allowed: false });
  expect(await limiter.countWorkspaceRequest("two", 1)).toMatchObject({ allowed: true });
});

test("a change of plan takes effect at once, in both directions", async () => {
  const limiter = createRateLimiter(createMemoryCounterFactory());
  for (let request = 0; request < 5; request += 1) await limiter.countWorkspaceRequest("w", 3);
  expect(await limiter.countWorkspaceRequest("w", 10)).toMatchObject({
    limit: 10,
    allowed: true,
    remaining: 4,
  });
  expect(await limiter.countWorkspaceRequest("w", 3)).toMatchObject({
    limit: 3,
    allowed: false,
    remaining: 0,
  });
});

test("the highest limit works, although the library has its own maximum", async () => {
  expect(
    await createRateLimiter(createMemoryCounterFactory()).countWorkspaceRequest("w", 2_147_483_647),
  ).toMatchObject({
    allowed: true,
    remaining: 2_147_483_646,
  });
});

describe("requests without a valid key", () => {
  test("are counted by address, separately from workspaces", async () => {
    const limiter = createRateLimiter(createMemoryCounterFactory());
    for (let request = 0; request < MAX_ANONYMOUS_REQUESTS_PER_MINUTE; request += 1) {
      expect((await limiter.countAnonymousRequest("192.0.2.1")).allowed).toBe(true);
    }
    expect(await limiter.countAnonymousRequest("192.0.2.1")).toMatchObject({ limit: 600, allowed: false });
    expect(await limiter.countAnonymousRequest("192.0.2.2")).toMatchObject({ allowed: true, remaining: 599 });
    expect(await limiter.countWorkspaceRequest("192.0.2.1", 600)).toMatchObject({ remaining: 599 });
    expect(await limiter.countAnonymousRequest("2001:db8:1:2::1")).toMatchObject({ remaining: 599 });
    expect(await limiter.countAnonymousRequest("2001:db8:1:2::2")).toMatchObject({ remaining: 598 });
    expect(await limiter.countAnonymousRequest("2001:db8:1:3::1")).toMatchObject({ remaining: 599 });
  });

  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["1::3:4:5:6:7:8", "1:0:3:4::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
    ["1:2::5:6:7:192.0.2.1", "1:2:0:5::/64"],
    ["fe80::1%br-lan", "fe80:0:0:0::/64"],
    [undefined, "unknown"],
  ])("from %s are counted as %s", (address, group) => {
    expect(toNetwork(address, 64)).toBe(group);
  });

  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
    ["2001:db8:1:3::", "2001:db8:1::/48"],
    [undefined, "unknown"],
  ])("from %s share turns as %s", (address, network) => {
    expect(toNetwork(address)).toBe(network);
  });
});
