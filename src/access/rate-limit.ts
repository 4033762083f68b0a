import { MAX_ANONYMOUS_REQUESTS_PER_MINUTE } from "../budgets.js";
import { addressGroup } from "./address.js";
import type { Counter, Counters } from "./counters.js";

/** State of a rate limit window after a request was counted. */
export interface RateLimit {
  /** Requests allowed in the window. */
  readonly limit: number;
  /** Requests that remain in the window. */
  readonly remaining: number;
  /** End of the window as Unix time in whole seconds. */
  readonly resetSeconds: number;
  /** Whether the counted request is within the limit. */
  readonly allowed: boolean;
  /** Whole seconds, at least 1, until the next window begins. */
  readonly retryAfterSeconds: number;
}

/** Limits requests in fixed windows of one minute that begin with the first request. */
export interface RateLimiter {
  /** Counts a request against the limit of its workspace, which all keys share. */
  consume(workspaceId: string, limit: number): Promise<RateLimit>;

  /**
   * Counts a request without a valid key against the limit of its address.
   *
   * @param address From createClientAddress, so that callers cannot choose it.
   */
  consumeAnonymous(address: string | undefined): Promise<RateLimit>;
}

const WINDOW_SECONDS = 60;

/** Addresses that are counted separately in a minute; all others share one count, which bounds the memory. */
const MAX_ADDRESSES = 10_000;

/** Creates rate limits on counters, which processes may share. */
export function createRateLimiter(counters: Counters): RateLimiter {
  const workspaces = counters.counter("workspace", WINDOW_SECONDS);
  const addresses = counters.counter("address", WINDOW_SECONDS);
  let known = new Set<string>();
  let knownSince = performance.now();

  return {
    consume: (workspaceId, limit) => countRequest(workspaces, workspaceId, limit),
    async consumeAnonymous(address) {
      if (performance.now() - knownSince >= WINDOW_SECONDS * 1000) {
        known = new Set();
        knownSince = performance.now();
      }
      const group = addressGroup(address);
      if (known.size < MAX_ADDRESSES) known.add(group);
      return countRequest(addresses, known.has(group) ? group : "others", MAX_ANONYMOUS_REQUESTS_PER_MINUTE);
    },
  };
}

/** Counts a request against a limit. */
export async function countRequest(counter: Counter, key: string, limit: number): Promise<RateLimit> {
  const now = Date.now();
  const { consumedPoints, msBeforeNext } = await counter.consume(key);
  return {
    limit,
    remaining: Math.max(limit - consumedPoints, 0),
    resetSeconds: Math.ceil((now + msBeforeNext) / 1000),
    allowed: consumedPoints <= limit,
    retryAfterSeconds: Math.max(Math.ceil(msBeforeNext / 1000), 1),
  };
}
