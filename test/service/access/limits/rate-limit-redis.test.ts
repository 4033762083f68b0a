import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createRedisCounterFactory } from "../../../../src/access/limits/counters.js";
import { MAX_COUNTED_CLIENTS } from "../../../../src/budgets.js";
import {
  createRateLimiter,
  type RateLimitState,
  type RateLimiter,
} from "../../../../src/access/limits/rate-limit.js";
import { listen } from "../../../support/ports.js";
import { NO_REDIS, startRedis } from "../../../support/redis.js";
import { startProxy } from "../../../torture/proxy.js";
import { describeUnless } from "../../../support/requirements.js";

type LoggingLimiter = RateLimiter & { readonly states: string[]; readonly errors: Error[] };

/** Creates the limiter of a process, and collects the changes of Redis' state and the errors that the process logs. */
async function createLimiter(url: string): Promise<LoggingLimiter> {
  const states: string[] = [];
  const errors: Error[] = [];
  const counters = await createRedisCounterFactory(url, (error) => {
    states.push(error ? "lost" : "back");
    if (error) errors.push(error);
  });
  onTestFinished(() => counters.close());
  return { ...createRateLimiter(counters), states, errors };
}

/**
 * Runs work again while a busy machine lets Redis respond later than the timeout of a command, so that a process counts alone.
 * Returns the result of the first run without such an outage. The work creates its limiters with the given function.
 */
async function retryOutages<Result>(
  work: (create: (url: string) => Promise<LoggingLimiter>) => Promise<Result>,
): Promise<Result> {
  for (let tries = 0; tries < 20; tries += 1) {
    const limiters: LoggingLimiter[] = [];
    const result = await work(async (url) => {
      const limiter = await createLimiter(url);
      limiters.push(limiter);
      return limiter;
    });
    if (limiters.every(({ states }) => states.length === 0)) return result;
  }
  throw new Error("Redis responded too late in 20 runs.");
}

function countPassed(results: readonly RateLimitState[]): number {
  return results.filter(({ allowed }) => allowed).length;
}

/** Starts a server to which clients of Redis can connect, and which calls `respond` for commands. Returns its URL. */
async function startFakeRedis(respond: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("data", (data) => {
      for (const [command] of String(data).matchAll(/\*\d+\r\n[^*]+/g)) {
        if (command.includes("\r\ninfo\r\n")) socket.write("$5\r\nready\r\n");
        else if (/\r\n(hello|client)\r\n/.test(command)) socket.write("+OK\r\n");
        else respond(socket);
      }
    });
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `redis://127.0.0.1:${port}`;
}

test.each(["+OK", "*2\r\n$-1\r\n$-1", "*2\r\n:1\r\n$3\r\nabc"])(
  "requests are counted in the process when Redis responds with %j instead of a count",
  async (response) => {
    const limiter = await createLimiter(await startFakeRedis((socket) => socket.write(`${response}\r\n`)));
    expect(await limiter.countWorkspaceRequest("w", 1)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limiter.countWorkspaceRequest("w", 1)).toMatchObject({ allowed: false });
    expect(limiter.states).toEqual(["lost"]);
    expect(limiter.errors).toEqual([new Error("a command failed: Redis is slow, full or read-only")]);
  },
);

test("a Redis that accepts connections, but no commands, is not back", async () => {
  let commands = 0;
  const url = await startFakeRedis((socket) => {
    commands += 1;
    socket.destroy();
  });
  const limiter = await createLimiter(url);
  expect(await limiter.countWorkspaceRequest("w", 1)).toMatchObject({ allowed: true });
  await expect.poll(() => commands).toBeGreaterThan(2);
  expect(limiter.states).toEqual(["lost"]);
});

test("the end of a connection is not reported when the service has closed it", async () => {
  const url = await startFakeRedis(() => {});
  const states: string[] = [];
  const counters = await createRedisCounterFactory(url, () => states.push("changed"));
  await counters.close();
  // Connects after the end of the first connection.
  await createLimiter(url);
  expect(states).toEqual([]);
});

describeUnless(NO_REDIS)("limits in Redis", () => {
  test("concurrent requests from several processes are admitted exactly up to the limit", async () => {
    const redis = await startRedis();
    const results = await retryOutages(async (create) => {
      redis.runCli("flushall");
      const limiters = await Promise.all([1, 2, 3, 4].map(() => create(redis.url)));
      return Promise.all(
        limiters.flatMap((limiter) =>
          Array.from({ length: 250 }, () => limiter.countWorkspaceRequest("w", 100)),
        ),
      );
    });
    const left = results.filter(({ allowed }) => allowed).map(({ remaining }) => remaining);
    expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 100 }, (_, n) => 99 - n));
  });

  test("a request costs one command, and a key lives no longer than its window", async () => {
    const redis = await startRedis();
    const statistics = await retryOutages(async (create) => {
      const limiter = await create(redis.url);
      await limiter.countWorkspaceRequest("w", 100);
      redis.runCli("config", "resetstat");
      for (let request = 0; request < 50; request += 1) await limiter.countWorkspaceRequest("w", 100);
      return redis.runCli("info", "commandstats");
    });
    const outside = [...statistics.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)].filter(
      ([, name]) => !["set", "incrby", "pttl", "config|resetstat"].includes(name ?? ""),
    );
    expect(outside.map(([, name, count]) => [name, count])).toEqual([["evalsha", "50"]]);
    const ttl = Number(redis.runCli("pttl", "page-service:workspace:w"));
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(60_000);
  });

  test("the window ends for all processes", async () => {
    const redis = await startRedis();
    const [one, two] = [await createLimiter(redis.url), await createLimiter(redis.url)];
    expect(await one.countWorkspaceRequest("w", 1)).toMatchObject({ allowed: true });
    expect(await two.countWorkspaceRequest("w", 1)).toMatchObject({ allowed: false, remaining: 0 });
    // Shortens the window, because a test cannot wait a minute.
    redis.runCli("pexpire", "page-service:workspace:w", "5000");
    expect((await two.countWorkspaceRequest("w", 1)).retryAfterSeconds).toBeLessThanOrEqual(5);
    redis.runCli("pexpire", "page-service:workspace:w", "1");
    await sleep(20);
    expect(await two.countWorkspaceRequest("w", 1)).toMatchObject({ allowed: true });
    expect(await one.countWorkspaceRequest("w", 1)).toMatchObject({ allowed: false });
  });

  test("without Redis each process counts alone, logs it once, and recovers", async () => {
    const redis = await startRedis();
    const limiters = [await createLimiter(redis.url), await createLimiter(redis.url)];
    const consumeAll = async (): Promise<number> =>
      countPassed(
        await Promise.all(
          limiters.flatMap((each) => Array.from({ length: 50 }, () => each.countWorkspaceRequest("w", 10))),
        ),
      );
    expect(await consumeAll()).toBe(10);
    await redis.kill();
    expect(await consumeAll()).toBe(20);
    expect(await consumeAll()).toBe(0);
    for (const { states } of limiters) expect(states).toEqual(["lost"]);
    await redis.start();
    while (limiters.some(({ states }) => states.at(-1) === "lost")) await sleep(20);
    expect(await consumeAll()).toBe(10);
    for (const { states } of limiters) expect(states).toEqual(["lost", "back"]);
  });

  test("the error of an earlier outage is not reported again when the connection is closed", async () => {
    const redis = await startRedis();
    const messages: (string | undefined)[] = [];
    const counters = await createRedisCounterFactory(redis.url, (error) => messages.push(error?.message));
    onTestFinished(() => counters.close());
    await redis.kill();
    // Attempts to connect fail in the meantime.
    await sleep(300);
    await redis.start();
    while (messages.length < 2) await sleep(20);
    redis.runCli("client", "kill", "type", "normal");
    await expect.poll(() => messages.slice(1)).toEqual([undefined, "the connection was closed", undefined]);
  });

  test("when Redis hangs only pending commands wait", async () => {
    const redis = await startRedis();
    const limiter = await createLimiter(redis.url);
    await limiter.countWorkspaceRequest("w", 1000);
    redis.pause();
    expect(await limiter.countWorkspaceRequest("w", 1000)).toMatchObject({ allowed: true, remaining: 999 });
    await expect.poll(() => limiter.states).toEqual(["lost"]);
    // Redis does not respond. If each request waited for its timeout, this would exceed the time limit of the test.
    for (let request = 0; request < 500; request += 1) await limiter.countWorkspaceRequest("w", 1000);
    redis.resume();
    while (limiter.states.at(-1) === "lost") await sleep(20);
    expect(limiter.states).toEqual(["lost", "back"]);
    // Redis still has the count of the window.
    expect((await limiter.countWorkspaceRequest("w", 1000)).remaining).toBeGreaterThan(990);
  });

  test("a request is counted without waiting for the response to an earlier command", async () => {
    const redis = await startRedis();
    const proxy = await startProxy(Number(new URL(redis.url).port));
    const [first, counted, second] = await retryOutages(async (create) => {
      redis.runCli("flushall");
      proxy.delay = 0;
      const limiter = await create(`redis://127.0.0.1:${proxy.port}`);
      await limiter.countWorkspaceRequest("w", 1000);
      proxy.delay = 80;
      const pending = limiter.countWorkspaceRequest("w", 1000);
      // In a later turn of the event loop.
      await sleep(20);
      const next = limiter.countWorkspaceRequest("w", 1000);
      return [await pending, redis.runCli("get", "page-service:workspace:w"), await next] as const;
    });
    expect(first).toMatchObject({ remaining: 998 });
    expect(counted).toBe("3");
    expect(second).toMatchObject({ remaining: 997 });
  });

  test("when Redis responds too late only pending commands wait", async () => {
    const redis = await startRedis();
    const proxy = await startProxy(Number(new URL(redis.url).port));
    const limiter = await createLimiter(`redis://127.0.0.1:${proxy.port}`);
    await limiter.countWorkspaceRequest("w", 1000);
    proxy.delay = 600;
    expect(await limiter.countWorkspaceRequest("w", 1000)).toMatchObject({ allowed: true });
    expect(limiter.states).toEqual(["lost"]);
    // If each request waited for its timeout, this would exceed the time limit of the test.
    for (let request = 0; request < 100; request += 1) await limiter.countWorkspaceRequest("w", 50);
    expect(await limiter.countWorkspaceRequest("w", 50)).toMatchObject({ allowed: false });
  });

  test("a Redis without memory is reported once, and requests are counted in the process", async () => {
    const redis = await startRedis();
    const limiter = await createLimiter(redis.url);
    redis.runCli("config", "set", "maxmemory", "1");
    const results = await Promise.all(
      Array.from({ length: 50 }, () => limiter.countWorkspaceRequest("w", 10)),
    );
    expect(countPassed(results)).toBe(10);
    expect(limiter.states).toEqual(["lost"]);
  });

  test("the service starts without Redis", async () => {
    const redis = await startRedis();
    await redis.kill();
    const limiter = await createLimiter(redis.url);
    expect(limiter.states).toEqual(["lost"]);
    expect(await limiter.countWorkspaceRequest("w", 1)).toMatchObject({ allowed: true });
    expect(await limiter.countWorkspaceRequest("w", 1)).toMatchObject({ allowed: false });
    await redis.start();
    while (limiter.states.at(-1) === "lost") await sleep(20);
    expect(await limiter.countWorkspaceRequest("w", 1)).toMatchObject({ allowed: true });
  });

  test("the number of counted addresses is bounded in Redis", async () => {
    const redis = await startRedis();
    const limiter = await createLimiter(redis.url);
    const address = (n: number): string => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    for (let n = 0; n < 2.5 * MAX_COUNTED_CLIENTS; n += 500) {
      await Promise.all(
        Array.from({ length: 500 }, (_, index) => limiter.countAnonymousRequest(address(n + index))),
      );
    }
    expect(Number(redis.runCli("dbsize"))).toBeLessThanOrEqual(2 * MAX_COUNTED_CLIENTS);
  });
});
