import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBoundedCounter } from "../../../../src/access/limits/bounded-counter.js";
import { MAX_COUNTED_CLIENTS } from "../../../../src/budgets.js";
import { MINUTE_MS } from "../../../../src/units.js";
import { createWatchedCounters } from "./watched-counters.js";

// Fakes the clocks, because a test cannot wait a minute.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "performance"] }));
afterEach(() => vi.useRealTimers());

/** Creates a counter, and records the keys under which it counts. */
function createRecordedCounter() {
  const countedKeys = new Set<string>();
  const counters = createWatchedCounters((key) => countedKeys.add(key));
  return { countedKeys, counter: createBoundedCounter(counters, "test", MINUTE_MS) };
}

test("a limited number of keys is counted, further ones share counts until the window ends", async () => {
  const { counter, countedKeys } = createRecordedCounter();
  const count = async (key: string): Promise<number> => (await counter.consume(key)).consumedPoints;
  for (let n = 0; n < MAX_COUNTED_CLIENTS; n += 1) expect(await count(`${n}`)).toBe(1);
  let most = 0;
  for (let n = 0; n < 5 * MAX_COUNTED_CLIENTS; n += 1) most = Math.max(most, await count(`other ${n}`));
  expect(countedKeys.size).toBeLessThanOrEqual(2 * MAX_COUNTED_CLIENTS);
  // Further keys are spread over all shared counts.
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThan(50);
  expect(await count("0")).toBe(2);
  await counter.delete("0");
  expect(await count("0")).toBe(1);
  const shared = await count("other 0");
  expect(await count("other 0")).toBe(shared + 1);
  await counter.delete("other 0");
  expect(await count("other 0")).toBe(1);
  vi.advanceTimersByTime(MINUTE_MS);
  expect([await count("other 0"), await count("other 0"), await count("0")]).toEqual([1, 2, 1]);
  // The next window has the same limit.
  for (let n = 0; n < MAX_COUNTED_CLIENTS; n += 1) await count(`next ${n}`);
  countedKeys.clear();
  await count("late");
  expect([...countedKeys]).toEqual([expect.stringMatching(/^shared /)]);
});

test("a client cannot know which keys share a count", async () => {
  const counters = [createRecordedCounter(), createRecordedCounter()];
  const shared = counters.map(async ({ counter, countedKeys }) => {
    for (let n = 0; n < MAX_COUNTED_CLIENTS; n += 1) await counter.consume(`${n}`);
    countedKeys.clear();
    for (let n = 0; n < 5; n += 1) await counter.consume(`other ${n}`);
    return [...countedKeys];
  });
  const [first, second] = await Promise.all(shared);
  expect(first).not.toEqual(second);
});
