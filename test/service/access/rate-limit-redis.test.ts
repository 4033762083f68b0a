import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createRedisCounters } from "../../../src/access/counters.js";
import { createRateLimiter, type RateLimitState, type RateLimiter } from "../../../src/access/rate-limit.js";
import { NO_REDIS, startRedis } from "../../support/redis.js";
import { describeUnless } from "../../support/requirements.js";

/** A process's limiter, and what its log would say of Redis. */
async function limiterOn(url: string): Promise<RateLimiter & { said: string[] }> {
  const said: string[] = [];
  const counters = await createRedisCounters(url, (error) => said.push(error ? "lost" : "back"));
  onTestFinished(() => counters.close());
  return { ...createRateLimiter(counters), said };
}

function passed(results: readonly RateLimitState[]): number {
  return results.filter(({ allowed }) => allowed).length;
}

describeUnless(NO_REDIS)("limits in Redis", () => {
  test("concurrent requests from several processes are admitted exactly up to the limit", async () => {
    const { url } = await startRedis();
    const limiters = await Promise.all([1, 2, 3, 4].map(() => limiterOn(url)));
    const results = await Promise.all(
      limiters.flatMap((limiter) => Array.from({ length: 250 }, () => limiter.consume("w", 100))),
    );
    const left = results.filter(({ allowed }) => allowed).map(({ remaining }) => remaining);
    expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 100 }, (_, n) => 99 - n));
    for (const limiter of limiters) expect(limiter.said).toEqual([]);
  });

  test("a request costs one command, and a key lives no longer than its window", async () => {
    const redis = await startRedis();
    const limiter = await limiterOn(redis.url);
    await limiter.consume("w", 100);
    redis.runCli("config", "resetstat");
    for (let request = 0; request < 50; request += 1) await limiter.consume("w", 100);
    const calls = redis.runCli("info", "commandstats").matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm);
    const outside = [...calls].filter(
      ([, name]) => !["set", "incrby", "pttl", "config|resetstat"].includes(name ?? ""),
    );
    expect(outside.map(([, name, count]) => [name, count])).toEqual([["evalsha", "50"]]);
    const ttl = Number(redis.runCli("pttl", "page-service:workspace:w"));
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(60_000);
  });

  test("the window ends for all processes", async () => {
    const redis = await startRedis();
    const [one, two] = [await limiterOn(redis.url), await limiterOn(redis.url)];
    expect(await one.consume("w", 1)).toMatchObject({ allowed: true });
    expect(await two.consume("w", 1)).toMatchObject({ allowed: false, remaining: 0 });
    // A minute is too long to wait for.
    redis.runCli("pexpire", "page-service:workspace:w", "5000");
    expect((await two.consume("w", 1)).retryAfterSeconds).toBeLessThanOrEqual(5);
    redis.runCli("pexpire", "page-service:workspace:w", "1");
    await sleep(20);
    expect(await two.consume("w", 1)).toMatchObject({ allowed: true });
    expect(await one.consume("w", 1)).toMatchObject({ allowed: false });
  });

  test("without Redis each process counts alone, logs it once, and recovers", async () => {
    const redis = await startRedis();
    const limiters = [await limiterOn(redis.url), await limiterOn(redis.url)];
    const consumeAll = async (): Promise<number> =>
      passed(
        await Promise.all(
          limiters.flatMap((each) => Array.from({ length: 50 }, () => each.consume("w", 10))),
        ),
      );
    expect(await consumeAll()).toBe(10);
    await redis.kill();
    expect(await consumeAll()).toBe(20);
    expect(await consumeAll()).toBe(0);
    for (const { said } of limiters) expect(said).toEqual(["lost"]);
    await redis.start();
    while (limiters.some(({ said }) => said.at(-1) === "lost")) await sleep(20);
    expect(await consumeAll()).toBe(10);
    for (const { said } of limiters) expect(said).toEqual(["lost", "back"]);
  });

  test("when Redis hangs only pending commands wait", async () => {
    const redis = await startRedis();
    const limiter = await limiterOn(redis.url);
    await limiter.consume("w", 1000);
    redis.pause();
    expect(await limiter.consume("w", 1000)).toMatchObject({ allowed: true, remaining: 999 });
    await expect.poll(() => limiter.said).toEqual(["lost"]);
    // Nothing comes from Redis now: if each request waited until it gave up, this would last longer than a test may.
    for (let request = 0; request < 500; request += 1) await limiter.consume("w", 1000);
    redis.resume();
    while (limiter.said.at(-1) === "lost") await sleep(20);
    expect(limiter.said).toEqual(["lost", "back"]);
    // The count of the window is still there.
    expect((await limiter.consume("w", 1000)).remaining).toBeGreaterThan(990);
  });

  test("the service starts without Redis", async () => {
    const redis = await startRedis();
    await redis.kill();
    const limiter = await limiterOn(redis.url);
    expect(limiter.said).toEqual(["lost"]);
    expect(await limiter.consume("w", 1)).toMatchObject({ allowed: true });
    expect(await limiter.consume("w", 1)).toMatchObject({ allowed: false });
    await redis.start();
    while (limiter.said.at(-1) === "lost") await sleep(20);
    expect(await limiter.consume("w", 1)).toMatchObject({ allowed: true });
  });

  test("the number of separate addresses is bounded in Redis too", async () => {
    const redis = await startRedis();
    const limiter = await limiterOn(redis.url);
    const address = (n: number): string => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    for (let n = 0; n < 12_000; n += 500) {
      await Promise.all(
        Array.from({ length: 500 }, (_, index) => limiter.consumeAnonymous(address(n + index))),
      );
    }
    expect(Number(redis.runCli("dbsize"))).toBe(10_001);
  });
});
