import { MAX_ANONYMOUS_REQUESTS_PER_MINUTE } from "../../budgets.js";
import { MINUTE_MS } from "../../units.js";
import { createBoundedCounter } from "./bounded-counter.js";
import type { Counter, CounterFactory } from "./counters.js";
import { toNetwork } from "./client-address.js";

/** State of a rate limit window after a request was counted. */
export type RateLimitState = Awaited<ReturnType<typeof countRequest>>;

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Creates rate limits in fixed windows of one minute. A window begins with its first request. */
export function createRateLimiter(counters: CounterFactory) {
  const workspaceCounter = counters.createCounter("workspace", MINUTE_MS);

  return {
    /** Counts a request against the limit of its workspace, which all keys share. */
    countWorkspaceRequest: (workspaceId: string, limit: number) =>
      countRequest(workspaceCounter, workspaceId, limit),

    /** Counts a request without a valid key against the limit of its address, see ReadClientAddress. */
    countAnonymousRequest: createAddressLimit(
      counters,
      "address",
      MINUTE_MS,
      MAX_ANONYMOUS_REQUESTS_PER_MINUTE,
    ),
  };
}

/**
 * Creates a function that counts a request of a client address, see ReadClientAddress, in windows of a fixed length.
 *
 * @param ipv6Bits see toNetwork
 */
export function createAddressLimit(
  counters: CounterFactory,
  name: string,
  windowMs: number,
  limit: number,
  ipv6Bits: 48 | 64 = 64,
) {
  const count = createKeyLimit(counters, name, windowMs, limit);
  return (address: string | undefined) => count(toNetwork(address, ipv6Bits));
}

/** Creates a function that counts a request by a key that clients choose, in windows of a fixed length. */
export function createKeyLimit(counters: CounterFactory, name: string, windowMs: number, limit: number) {
  const counter = createBoundedCounter(counters, name, windowMs);
  return (key: string) => countRequest(counter, key, limit);
}

async function countRequest(counter: Counter, key: string, limit: number) {
  const now = Date.now();
  const { consumedPoints, msBeforeNext } = await counter.consume(key);
  return {
    limit,
    remaining: Math.max(limit - consumedPoints, 0),
    /** End of the window as Unix time. */
    resetUnixSeconds: Math.ceil((now + msBeforeNext) / 1000),
    allowed: consumedPoints <= limit,
    /** Whether the request is the first one of the window that exceeds the limit. */
    isFirstRefused: consumedPoints === limit + 1,
    /** Seconds, at least 1, until the next window begins. */
    retryAfterSeconds: Math.max(Math.ceil(msBeforeNext / 1000), 1),
  };
}
