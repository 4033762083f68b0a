import { MAX_ACCOUNT_ATTEMPTS_PER_HOUR } from "../../budgets.js";
import { HOUR_MS } from "../../units.js";
import { createBoundedCounter } from "../limits/bounded-counter.js";
import type { Counter, CounterFactory } from "../limits/counters.js";
import { TooManyAttemptsError } from "../../errors.js";

/** Failures before the first delay. Each further failure doubles the delay. */
const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;

/** Keys by which an attempt to enter a password is counted. */
interface AttemptKeys {
  /** Attempts with the same key count together, for example those of a client for an account. */
  readonly key: string;
  /** The account. Its attempts from all addresses count together too. Omit it for a known device or a signed-in person. */
  readonly accountKey?: string | undefined;
}

/**
 * Creates a function that checks a password and slows down guessing, see ../DECISIONS.md. After FREE_FAILURES within an hour it waits
 * before each check, longer after each failure. After MAX_ACCOUNT_ATTEMPTS_PER_HOUR, the attempts for an account from all unknown
 * devices share one delay of MAX_DELAY_MS, and those after FREE_FAILURES of their address another one. Throws a TooManyAttemptsError
 * while another attempt with the same delay waits.
 */
export function createAttemptThrottle(counters: CounterFactory) {
  const attempts = createBoundedCounter(counters, "attempts", HOUR_MS);
  const accountAttempts = createBoundedCounter(counters, "account-attempts", HOUR_MS);
  const delayedKeys = new Set<string>();
  return async <T>(
    { key, accountKey }: AttemptKeys,
    check: () => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    // Counted as a failure before the check, so that concurrent attempts do not all pass with the same count.
    const earlierAttempts = await countAttempt(attempts, key);
    const earlierAccountAttempts =
      accountKey === undefined ? 0 : await countAttempt(accountAttempts, accountKey);
    const isAccountUnderAttack = earlierAccountAttempts >= MAX_ACCOUNT_ATTEMPTS_PER_HOUR;
    const delayMs = isAccountUnderAttack ? MAX_DELAY_MS : computeDelayMs(earlierAttempts);
    if (delayMs > 0) {
      // Otherwise a single address could keep the owner of the account out, because its attempts would always wait first.
      const group = earlierAttempts < FREE_FAILURES ? "first" : "repeated";
      const delayKey = isAccountUnderAttack ? `account ${accountKey} ${group}` : key;
      if (delayedKeys.has(delayKey)) throw new TooManyAttemptsError(Math.ceil(delayMs / 1000));
      delayedKeys.add(delayKey);
      await sleep(delayMs).finally(() => delayedKeys.delete(delayKey));
    }
    const result = await check();
    // The count of the account stays, because a success does not end an attack from other addresses.
    if (result !== undefined) await attempts.delete(key);
    return result;
  };
}

function computeDelayMs(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES), MAX_DELAY_MS);
}

// Not from node:timers/promises, which the fake timers of the tests do not replace.
function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Counts an attempt and returns the number of earlier ones. */
async function countAttempt(counter: Counter, key: string): Promise<number> {
  return (await counter.consume(key)).consumedPoints - 1;
}
