import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";

/** What a window holds after a request was counted. */
export interface Count {
  readonly consumedPoints: number;
  readonly msBeforeNext: number;
}

/** Counts requests by key in windows of a fixed length; never refuses. */
export interface Counter {
  consume(key: string): Promise<Count>;
}

/** Makes counters of one kind, whose keys are apart from those of every other prefix. */
export interface Counters {
  counter(prefix: string, seconds: number): Counter;
  /** Whether processes count together now; undefined where they never do. */
  shared(): boolean | undefined;
  close(): Promise<void>;
}

/** Counters are compared with the limit by who asks, so that a change of plan counts at once. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/**
 * Milliseconds after which a command counts as lost. Long enough for a process that is busy for a moment: a command
 * that is given up too early is counted here and not there.
 */
const COMMAND_TIMEOUT = 500;
/** Milliseconds that a connection may take to be made, or be silent. */
const CONNECT_TIMEOUT = 2000;
/** Milliseconds between looks at whether Redis is back. */
const PROBE_INTERVAL = 200;

/** Counters in the memory of this process. */
export function memoryCounters(): Counters {
  return {
    counter: (keyPrefix, duration) => new RateLimiterMemory({ keyPrefix, points: NO_LIMIT, duration }),
    shared: () => undefined,
    close: async () => {},
  };
}

/**
 * Counters in Redis, which processes share: one round trip a request. While Redis is out of reach each process counts
 * by itself, from the first command that fails until a probe succeeds, so that no request waits for a Redis that hangs.
 *
 * @param url As REDIS_URL has it.
 * @param onChange Is told when Redis is lost, with the error, and when it is back, without.
 * @returns The counters, when Redis is connected or has turned out to be out of reach.
 */
export async function redisCounters(
  url: string,
  onChange: (error: Error | undefined) => void,
): Promise<Counters> {
  // Loaded only where there is one: it is large.
  const { Redis } = await import("ioredis");
  const client = new Redis(url, {
    keyPrefix: "page-service:",
    commandTimeout: COMMAND_TIMEOUT,
    connectTimeout: CONNECT_TIMEOUT,
    // A connection that says nothing for this long is replaced.
    socketTimeout: CONNECT_TIMEOUT,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1000),
    // What cannot be sent at once is counted here.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // Requests that come in together go out together.
    enableAutoPipelining: true,
  });
  let probe: NodeJS.Timeout | undefined;
  let closed = false;

  const lose = (error: Error): void => {
    if (probe !== undefined || closed) return;
    onChange(error);
    probe = setInterval(() => void client.ping().then(recover, () => {}), PROBE_INTERVAL).unref();
  };
  const recover = (): void => {
    if (probe === undefined || closed) return;
    clearInterval(probe);
    probe = undefined;
    onChange(undefined);
  };
  client.on("error", lose);
  await new Promise<void>((resolve) => {
    client.once("ready", resolve);
    client.once("error", () => resolve());
  });

  return {
    counter(keyPrefix, duration) {
      const shared = new RateLimiterRedis({ storeClient: client, keyPrefix, points: NO_LIMIT, duration });
      const local = new RateLimiterMemory({ keyPrefix, points: NO_LIMIT, duration });
      return {
        async consume(key) {
          if (probe !== undefined) return local.consume(key);
          try {
            return await shared.consume(key);
          } catch (error) {
            lose(error instanceof Error ? error : new Error(String(error)));
            return local.consume(key);
          }
        },
      };
    },
    shared: () => probe === undefined,
    async close() {
      closed = true;
      clearInterval(probe);
      client.disconnect();
    },
  };
}
