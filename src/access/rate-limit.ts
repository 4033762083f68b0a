import { MAX_ANONYMOUS_REQUESTS_PER_MINUTE, MAX_COUNTED_ADDRESSES, MINUTE_MS } from "../budgets.js";
import type { Counter, CounterFactory } from "./counters.js";
import { toAddressGroup } from "./client-address.js";

/** State of a rate limit window after a request was counted. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** End of the window as Unix time in whole seconds. */
  readonly resetSeconds: number;
  /** Whether the counted request is within the limit. */
  readonly allowed: boolean;
  /** Whether the counted request is the first one of the window that exceeds the limit. */
  readonly isFirstRefused: boolean;
  /** Whole seconds, at least 1, until the next window begins. */
  readonly retryAfterSeconds: number;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Creates rate limits in fixed windows of one minute. A window begins with its first request. */
export function createRateLimiter(counters: CounterFactory) {
  const workspaces = counters.createCounter("workspace", MINUTE_MS);
  const addresses = counters.createCounter("address", MINUTE_MS);
  /** Address groups with their own count in the current minute. All other groups share the count "others". */
  let countedGroups = new Set<string>();
  let countedSince = performance.now();

  return {
    /** Counts a request against the limit of its workspace, which all keys share. */
    consume: (workspaceId: string, limit: number) => countRequest(workspaces, workspaceId, limit),

    /** Counts a request without a valid key against the limit of its address, see ReadClientAddress. */
    async consumeAnonymous(address: string | undefined): Promise<RateLimitState> {
      if (performance.now() - countedSince >= MINUTE_MS) {
        countedGroups = new Set();
        countedSince = performance.now();
      }
      const group = toAddressGroup(address);
      if (countedGroups.size < MAX_COUNTED_ADDRESSES) countedGroups.add(group);
      return countRequest(
        addresses,
        countedGroups.has(group) ? group : "others",
        MAX_ANONYMOUS_REQUESTS_PER_MINUTE,
      );
    },
  };
}

/** Counts a request against a limit. */
export async function countRequest(counter: Counter, key: string, limit: number): Promise<RateLimitState> {
  const now = Date.now();
  const { consumedPoints, msBeforeNext } = await counter.consume(key);
  return {
    limit,
    remaining: Math.max(limit - consumedPoints, 0),
    resetSeconds: Math.ceil((now + msBeforeNext) / 1000),
    allowed: consumedPoints <= limit,
    isFirstRefused: consumedPoints === limit + 1,
    retryAfterSeconds: Math.max(Math.ceil(msBeforeNext / 1000), 1),
  };
}
