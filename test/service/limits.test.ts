import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { NO_REDIS, startRedis } from "../support/redis.js";
import { groupByWindow } from "../support/windows.js";
import { serve } from "./command.js";
import { runInProcess } from "./run-in-process.js";
import { describeUnless } from "../support/requirements.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const PAGE = "/v1/pages/00000000-0000-7000-8000-000000000000";

async function createKey(env: Record<string, string>, ...options: string[]): Promise<string> {
  const { stdout } = await runInProcess(["keys", "create", "--workspace", "Acme", "--json", ...options], env);
  // The cast: the documented format.
  return (JSON.parse(stdout) as { key: string }).key;
}

interface CountedResponse {
  status: number;
  remaining: number;
  reset: number;
}

/**
 * Number of concurrent requests, which a busy machine can handle within a second. A process waits a second for Redis before
 * it counts on its own.
 */
const CONCURRENCY = 40;

/** Sends requests for a page that does not exist, to each address in turn, CONCURRENCY at a time. */
async function sendMany(
  urls: readonly string[],
  count: number,
  headers: (n: number) => Record<string, string>,
): Promise<CountedResponse[]> {
  const responses: CountedResponse[] = [];
  let next = 0;
  const sendOneByOne = async (): Promise<void> => {
    for (let n = next; n < count; n = next) {
      next += 1;
      const response = await fetch(`${urls[n % urls.length]}${PAGE}`, { headers: headers(n) });
      await response.arrayBuffer();
      const number = (name: string): number => Number(response.headers.get(`X-RateLimit-${name}`));
      responses.push({ status: response.status, remaining: number("Remaining"), reset: number("Reset") });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendOneByOne));
  return responses;
}

/**
 * Expects that in each window exactly the limit passed, each request with a different remaining number. There are several
 * windows, because on a slow machine the requests take longer than one.
 */
function expectLimit(responses: readonly CountedResponse[], passedStatus: number, limit: number): void {
  for (const window of groupByWindow(responses, ({ reset }) => reset)) {
    const passed = window.filter(({ status }) => status === passedStatus);
    const count = Math.min(limit, window.length);
    const left = passed.map(({ remaining }) => remaining).sort((a, b) => b - a);
    expect(left).toEqual(Array.from({ length: count }, (_, index) => limit - 1 - index));
    expect(window.filter(({ status }) => status === 429)).toHaveLength(window.length - count);
  }
  expect(responses.some(({ status }) => status === 429)).toBe(true);
}

describeUnless(NO_REDIS)("processes that share a database and Redis", () => {
  test("admit exactly the limit of the plan across processes, ignoring forged headers", async () => {
    const redis = await startRedis();
    const env = { DATA_DIR: createTemporaryFolder(), REDIS_URL: redis.url };
    const key = await createKey(env, "--plan", "free");
    const processes = await Promise.all([1, 2, 3, 4].map(() => serve(env)));
    const urls = processes.map(({ url }) => url);
    const responses = await sendMany(urls, 400, (n) => ({
      Authorization: `Bearer ${key}`,
      "X-Forwarded-For": `10.0.${n >> 8}.${n & 255}`,
    }));
    expectLimit(responses, 404, 100);
    // A change of plan takes effect in every process within a second.
    await createKey(env, "--plan", "enterprise", "--limit", "5000");
    await sleep(1000);
    const later = await sendMany(urls, 4, () => ({ Authorization: `Bearer ${key}` }));
    expect(later.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  test("count invalid keys by remote address, and store nothing about the keys", async () => {
    const redis = await startRedis();
    const env = { DATA_DIR: createTemporaryFolder(), REDIS_URL: redis.url };
    const processes = await Promise.all([1, 2].map(() => serve(env)));
    const responses = await sendMany(
      processes.map(({ url }) => url),
      800,
      (n) => ({
        Authorization: `Bearer ps_${String(n).padStart(36, "0")}`,
        "X-Forwarded-For": `10.0.${n >> 8}.${n & 255}`,
      }),
    );
    expectLimit(responses, 401, 600);
    expect(redis.runCli("keys", "*")).toBe("page-service:address:127.0.0.1");
  });

  test("work without Redis, and the log has the reason and the remedy, but neither the password nor a stack", async () => {
    const redis = await startRedis();
    redis.runCli("config", "set", "requirepass", "right");
    const { host } = new URL(redis.url);
    const wrong = [
      [`redis://:secret@${host}`, "WRONGPASS invalid username-password pair or user is disabled"],
      ["redis://:secret@127.0.0.1:1", "connect ECONNREFUSED 127.0.0.1:1"],
    ];
    for (const [REDIS_URL = "", reason] of wrong) {
      const { printed, output } = await serve({ DATA_DIR: createTemporaryFolder(), REDIS_URL });
      await printed("Redis is unavailable");
      expect(output().stderr).toContain(
        `"msg":"Redis is unavailable: ${reason}. Rate limits apply per process. Check REDIS_URL, and that the server is running."`,
      );
      expect(output().stderr).not.toMatch(/secret|stack/);
    }
  });

  test("keep responding when Redis fails under load, log one line each, and share counts again afterwards", async () => {
    const redis = await startRedis();
    const env = { DATA_DIR: createTemporaryFolder(), REDIS_URL: redis.url };
    const key = await createKey(env, "--plan", "enterprise", "--limit", "100000");
    const processes = await Promise.all([1, 2].map(() => serve(env)));
    const urls = processes.map(({ url }) => url);
    const headers = (): Record<string, string> => ({ Authorization: `Bearer ${key}` });
    let killed = false;
    const seen: number[] = [];
    const load = async (): Promise<void> => {
      for (let round = 0; round < 20; round += 1) {
        seen.push(...(await sendMany(urls, 50, headers)).map(({ status }) => status));
        if (round === 5) {
          await redis.kill();
          killed = true;
        }
      }
    };
    await load();
    expect(killed).toBe(true);
    expect(new Set(seen)).toEqual(new Set([404]));
    const lines = (text: string): number[] =>
      processes.map(({ output }) => output().stderr.split(text).length - 1);
    await expect.poll(() => lines("Redis is unavailable")).toEqual([1, 1]);
    await redis.start();
    await Promise.all(processes.map(({ printed }) => printed("Redis is back")));
    // Sends to each process in turn, and again if a window ended in between.
    const countInOneWindow = async (): Promise<number[]> => {
      const responses: CountedResponse[] = [];
      for (const url of urls) responses.push(...(await sendMany([url], 1, headers)));
      const isOneWindow = groupByWindow(responses, ({ reset }) => reset).length === 1;
      return isOneWindow ? responses.map(({ remaining }) => remaining) : countInOneWindow();
    };
    const [first = 0, second = 0] = await countInOneWindow();
    expect(first - second).toBe(1);
    expect(lines("Redis is unavailable")).toEqual([1, 1]);
  });
});
