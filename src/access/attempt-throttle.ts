import type { Counter, Counters } from "./counters.js";
import { TooManyAttemptsError } from "./checks.js";

/**
 * Slows down guessing of passwords. Failures make the next attempt wait, longer each time, instead of locking the
 * account, because anybody could lock out the owner.
 */
export interface AttemptThrottle {
  /**
   * Checks a secret after a delay that grows with the failures of the last hour.
   *
   * @param attempt.key Groups the attempts that count together, such as all for one account from one address.
   * @param attempt.accountKey The account, whose failures from all addresses count together; omit it for trusted devices.
   * @param check Resolves to undefined when the secret is wrong.
   * @throws TooManyAttemptsError when an attempt with the same key is waiting already.
   */
  run<T>(
    attempt: { readonly key: string; readonly accountKey?: string | undefined },
    check: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
}

const WINDOW_SECONDS = 3600;
/** Failures before the first delay. */
const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;
/** Failures of an account from all addresses, after which every attempt from an unknown device waits the full delay. */
const MAX_ACCOUNT_FAILURES = 100;

/** Creates the throttle on counters, which processes may share. */
export function createAttemptThrottle(counters: Counters): AttemptThrottle {
  const attempts = counters.createCounter("attempts", WINDOW_SECONDS);
  const accountAttempts = counters.createCounter("account-attempts", WINDOW_SECONDS);
  const delayedKeys = new Set<string>();
  return {
    async run({ key, accountKey }, check) {
      // Counted as a failure before the check, so that concurrent attempts do not all pass with the same count.
      const failures = await countAttempt(attempts, key);
      const accountFailures = accountKey === undefined ? 0 : await countAttempt(accountAttempts, accountKey);
      const isAccountAttacked = accountFailures >= MAX_ACCOUNT_FAILURES;
      const delayMs = isAccountAttacked ? MAX_DELAY_MS : computeDelayMs(failures);
      if (delayMs > 0) {
        const delayKey = isAccountAttacked ? `account ${accountKey}` : key;
        if (delayedKeys.has(delayKey)) throw new TooManyAttemptsError(Math.ceil(delayMs / 1000));
        delayedKeys.add(delayKey);
        await sleep(delayMs).finally(() => delayedKeys.delete(delayKey));
      }
      const result = await check();
      if (result !== undefined) await attempts.delete(key);
      return result;
    },
  };
}

/** Computes the delay after a number of failures: 0.5, 1, 2, 4 and then 8 seconds. */
function computeDelayMs(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES), MAX_DELAY_MS);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Counts an attempt and returns the number of earlier ones. */
async function countAttempt(counter: Counter, key: string): Promise<number> {
  return (await counter.consume(key)).consumedPoints - 1;
}
