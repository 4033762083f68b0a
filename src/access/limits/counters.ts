import {
  type IRateLimiterOptions,
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterRes,
} from "rate-limiter-flexible";

/** Counter of requests by key in windows of a fixed length. It never refuses: callers compare with their limit. */
export interface Counter {
  /** Counts a request. Returns the number of requests in the window, and the time until the window ends. */
  consume(key: string): Promise<Pick<RateLimiterRes, "consumedPoints" | "msBeforeNext">>;
  delete(key: string): Promise<unknown>;
}

/** Creates counters. Counters with different prefixes do not share keys. */
export interface CounterFactory {
  createCounter(prefix: string, windowMs: number): Counter;
  /** Whether processes share their counts at the moment. */
  isShared(): boolean;
  /** Closes the connection to Redis, if there is one. */
  close(): Promise<void>;
}

/** So high that the library never refuses. Callers apply the limit, so that a change of plan takes effect at once. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Time after which a command to Redis fails and the request is counted in memory, although Redis may still execute it. */
const COMMAND_TIMEOUT_MS = 1000;
/** Time after a failed command until the next attempt to write to Redis. Requests are counted in memory meanwhile. */
const RETRY_INTERVAL_MS = 2000;
/** Time without a response after which the connection is replaced. */
const SOCKET_TIMEOUT_MS = 2000;
const REDIS_CONNECT_TIMEOUT_MS = 2000;
const MAX_RECONNECT_DELAY_MS = 200;

export function createMemoryCounterFactory(): CounterFactory {
  return {
    createCounter: (prefix, windowMs) => new RateLimiterMemory(toLimiterOptions(prefix, windowMs)),
    isShared: () => false,
    close: async () => {},
  };
}

/**
 * Creates counters in Redis that processes share. While Redis is unavailable, each process counts on its own. Calls
 * `onAvailabilityChange` with the error when Redis is unavailable at the start or later, and without one when it is back.
 */
export async function createRedisCounterFactory(
  url: string,
  onAvailabilityChange: (error: Error | undefined) => void,
): Promise<CounterFactory> {
  const client = await createRedisClient(url);
  /** Assumed until the first connection fails, because a successful one is not a change. */
  let available = true;
  let closed = false;
  /** The last error. A connection can also be closed without one. */
  let lastError: Error | undefined;
  const setAvailable = (isAvailable: boolean): void => {
    if (closed || available === isAvailable) return;
    available = isAvailable;
    onAvailabilityChange(isAvailable ? undefined : (lastError ?? new Error("the connection was closed")));
    lastError = undefined;
  };
  let retryTimer: NodeJS.Timeout | undefined;
  const retryLater = (): void => {
    retryTimer ??= setTimeout(() => {
      retryTimer = undefined;
      if (!available && !closed) void tryToWrite();
    }, RETRY_INTERVAL_MS).unref();
  };
  // A Redis without free memory still responds to PING, and one that hangs can accept connections.
  const tryToWrite = (): Promise<void> =>
    client.set("retry", "", "EX", 1).then(() => setAvailable(true), retryLater);
  client.on("error", (error: Error) => (lastError = error));
  client.on("close", () => setAvailable(false));
  client.on("ready", () => {
    if (!available) void tryToWrite();
  });
  await new Promise<void>((resolve) => {
    client.once("ready", resolve);
    client.once("close", () => resolve());
  });
  /** Stops sending commands to Redis after one has failed, so that not every request waits for its timeout. */
  const pauseRedis = (): void => {
    if (!available) return;
    lastError = new Error("a command failed: Redis is slow, full or read-only");
    setAvailable(false);
    retryLater();
  };
  return {
    createCounter(prefix, windowMs) {
      const options = toLimiterOptions(prefix, windowMs);
      const memory = new InsuranceLimiter(options, pauseRedis);
      const redis = new RateLimiterRedis({
        ...options,
        storeClient: client,
        rejectIfRedisNotReady: true,
        insuranceLimiter: memory,
      });
      return {
        async consume(key) {
          if (!available) return memory.consume(key);
          const result = await redis.consume(key);
          const isValid = Number.isFinite(result.consumedPoints) && Number.isFinite(result.msBeforeNext);
          return isValid ? result : memory.consume(key);
        },
        delete: (key) => (available ? redis : memory).delete(key),
      };
    },
    isShared: () => available,
    async close() {
      closed = true;
      clearTimeout(retryTimer);
      client.disconnect();
    },
  };
}

function toLimiterOptions(keyPrefix: string, windowMs: number): IRateLimiterOptions {
  return { keyPrefix, points: NO_LIMIT, duration: windowMs / 1000 };
}

/** Creates a client that fails instead of waiting, because requests can be counted in memory. */
async function createRedisClient(url: string) {
  // Imported lazily: it is large, and most installations have no Redis.
  const { Redis } = await import("ioredis");
  return new Redis(url, {
    keyPrefix: "page-service:",
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    connectTimeout: REDIS_CONNECT_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 50, MAX_RECONNECT_DELAY_MS),
    // A request whose command cannot be sent at once is counted in memory instead of waiting.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  });
}

/** Counts in memory, and reports each request that it counts instead of Redis. */
class InsuranceLimiter extends RateLimiterMemory {
  readonly #onUse: () => void;

  constructor(options: IRateLimiterOptions, onUse: () => void) {
    super(options);
    this.#onUse = onUse;
  }

  override consume(...parameters: Parameters<RateLimiterMemory["consume"]>): Promise<RateLimiterRes> {
    this.#onUse();
    return super.consume(...parameters);
  }
}
