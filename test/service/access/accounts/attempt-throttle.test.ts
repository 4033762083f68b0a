import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAttemptThrottle } from "../../../../src/access/accounts/attempt-throttle.js";
import { TooManyAttemptsError } from "../../../../src/errors.js";
import { createMemoryCounterFactory } from "../../../../src/access/limits/counters.js";
import { createDeviceToken, readDeviceToken } from "../../../../src/access/accounts/tokens.js";
// Fakes the clock, because the delays add up to half a minute.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "Date"] }));
afterEach(() => vi.useRealTimers());

const wrong = async (): Promise<undefined> => undefined;
const right = async (): Promise<string> => "signed in";

/** Waits for an attempt, and returns its result and its duration in steps of half a second. */
async function measure<T>(attempt: Promise<T>): Promise<{ ms: number; result: T }> {
  const started = Date.now();
  const state = { isSettled: false };
  const done = attempt.finally(() => (state.isSettled = true));
  done.catch(() => {});
  await vi.advanceTimersByTimeAsync(0);
  while (!state.isSettled) await vi.advanceTimersByTimeAsync(500);
  return { ms: Date.now() - started, result: await done };
}

test("failures delay the next attempt, longer each time, but the right password is always accepted", async () => {
  const throttle = createAttemptThrottle(createMemoryCounterFactory());
  const attempt = { key: "ada 10.0.0.1", accountKey: "ada" };
  const delays: number[] = [];
  for (let n = 0; n < 10; n += 1) delays.push((await measure(throttle(attempt, wrong))).ms);
  expect(delays).toEqual([0, 0, 0, 0, 0, 500, 1000, 2000, 4000, 8000]);
  expect(await measure(throttle(attempt, right))).toEqual({ ms: 8000, result: "signed in" });
  // A success resets the delay.
  expect(await measure(throttle(attempt, right))).toEqual({ ms: 0, result: "signed in" });
});

test("concurrent attempts do not bypass the delay: one waits, the others are refused", async () => {
  const throttle = createAttemptThrottle(createMemoryCounterFactory());
  const attempt = { key: "ada 10.0.0.1", accountKey: "ada" };
  const { result } = await measure(
    Promise.allSettled(Array.from({ length: 50 }, () => throttle(attempt, wrong))),
  );
  const refused = result.filter((each) => each.status === "rejected").map(({ reason }) => reason as unknown);
  expect(refused).toHaveLength(44);
  for (const error of refused) expect(error).toBeInstanceOf(TooManyAttemptsError);
  // Each is told the delay that it would have had.
  const delays = [1, 2, 4, 8, 8].map((retryAfterSeconds) => ({ retryAfterSeconds }));
  expect(refused.slice(0, 5)).toMatchObject(delays);
});

test("failures from many addresses delay the account, but not a trusted device", async () => {
  const throttle = createAttemptThrottle(createMemoryCounterFactory());
  const from = (n: number) => ({ key: `ada 10.0.0.${n}`, accountKey: "ada" });
  for (let n = 0; n < 100; n += 1) expect((await measure(throttle(from(n), wrong))).ms).toBe(0);
  expect((await measure(throttle(from(100), wrong))).ms).toBe(8000);
  expect((await measure(throttle({ key: "device of Ada" }, right))).ms).toBe(0);
  // A success does not end the attack from the other addresses.
  expect(await measure(throttle(from(101), right))).toEqual({ ms: 8000, result: "signed in" });
  expect((await measure(throttle(from(102), wrong))).ms).toBe(8000);
});

test("one address that attacks an account does not keep its owner out", async () => {
  const throttle = createAttemptThrottle(createMemoryCounterFactory());
  const attacker = { key: "ada 10.0.0.1", accountKey: "ada" };
  await measure(Promise.allSettled(Array.from({ length: 100 }, () => throttle(attacker, wrong))));
  const waiting = throttle(attacker, wrong);
  const owner = throttle({ key: "ada 10.0.0.2", accountKey: "ada" }, right);
  expect(await measure(owner)).toEqual({ ms: 8000, result: "signed in" });
  await waiting;
});

test("a device token is valid for one account and one password", () => {
  const token = createDeviceToken("hash of Ada");
  expect(readDeviceToken(token, "hash of Ada")).toMatch(/^[\w-]{43}$/);
  for (const [text, hash] of [
    [token, "hash of Eve"],
    [token, "new hash of Ada"],
    [token, undefined],
    [`${token.startsWith("x") ? "y" : "x"}${token.slice(1)}`, "hash of Ada"],
    [token.replace(".", ""), "hash of Ada"],
    [undefined, "hash of Ada"],
  ] as const) {
    expect(readDeviceToken(text, hash)).toBeUndefined();
  }
});
