import { addressGroup } from "./address.js";
import type { Counter, Counters } from "./counters.js";

/** The state of a caller's window after a request was counted. */
export interface RateLimit {
  /** Requests that the window allows. */
  readonly limit: number;
  /** Requests that are left in the window. */
  readonly remaining: number;
  /** When the window ends: Unix time in whole seconds. */
  readonly resetSeconds: number;
  /** Whether the request that was counted may pass. */
  readonly allowed: boolean;
  /** Whole seconds, at least 1, after which a request passes for sure. */
  readonly retryAfterSeconds: number;
}

/** Counts requests in windows of one minute that begin with the first request. */
export interface RateLimiter {
  /** Counts a request of a workspace, whichever of its keys it came with, against the plan's limit. */
  consume(workspaceId: string, limit: number): Promise<RateLimit>;

  /**
   * Counts a request without a valid key.
   *
   * @param address Where it comes from, see createClientAddress: never a header that the caller can choose.
   */
  consumeAnonymous(address: string | undefined): Promise<RateLimit>;
}

/** Requests a minute without a valid key that one address may send. */
export const ANONYMOUS_LIMIT = 600;

const WINDOW_SECONDS = 60;

/** Addresses that are counted one by one; when there are more in a minute, the others share one count. */
const MAX_ADDRESSES = 10_000;

/** Makes rate limits over counters, which processes may share. */
export function createRateLimiter(counters: Counters): RateLimiter {
  const workspaces = counters.counter("workspace", WINDOW_SECONDS);
  const addresses = counters.counter("address", WINDOW_SECONDS);
  let known = new Set<string>();
  let knownSince = performance.now();

  return {
    consume: (workspaceId, limit) => count(workspaces, workspaceId, limit),
    async consumeAnonymous(address) {
      if (performance.now() - knownSince >= WINDOW_SECONDS * 1000) {
        known = new Set();
        knownSince = performance.now();
      }
      const group = addressGroup(address);
      if (known.size < MAX_ADDRESSES) known.add(group);
      return count(addresses, known.has(group) ? group : "others", ANONYMOUS_LIMIT);
    },
  };
}

async function count(counter: Counter, key: string, limit: number): Promise<RateLimit> {
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
