import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { HAS_REDIS, startRedis } from "../support/redis.js";
import { run, serve, temporaryFolder } from "./command.js";

const PAGE = "/v1/pages/00000000-0000-7000-8000-000000000000";

async function createKey(env: Record<string, string>, ...options: string[]): Promise<string> {
  const { stdout } = await run(["keys", "create", "--workspace", "Acme", "--json", ...options], env);
  // The cast: it is the format that scripts rely on.
  return (JSON.parse(stdout) as { key: string }).key;
}

interface Answer {
  status: number;
  remaining: number;
}

/** Sends requests for a page that is not there, all at once, in turn to each address. */
function sendMany(
  urls: readonly string[],
  count: number,
  headers: (n: number) => Record<string, string>,
): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const response = await fetch(`${urls[n % urls.length]}${PAGE}`, { headers: headers(n) });
      await response.arrayBuffer();
      return { status: response.status, remaining: Number(response.headers.get("X-RateLimit-Remaining")) };
    }),
  );
}

function withStatus(answers: readonly Answer[], status: number): Answer[] {
  return answers.filter((answer) => answer.status === status);
}

describe.runIf(HAS_REDIS)("processes that share a database and Redis", () => {
  test("let exactly as many requests pass as the plan says, wherever they come in and whatever they say of their origin", async () => {
    const redis = await startRedis();
    const env = { DATA_DIR: temporaryFolder(), REDIS_URL: redis.url };
    const key = await createKey(env, "--plan", "free");
    const processes = await Promise.all([1, 2, 3, 4].map(() => serve(env)));
    const urls = processes.map(({ url }) => url);
    const answers = await sendMany(urls, 1000, (n) => ({
      Authorization: `Bearer ${key}`,
      "X-Forwarded-For": `10.0.${n >> 8}.${n & 255}`,
    }));
    const passed = withStatus(answers, 404);
    expect(passed.map(({ remaining }) => remaining).sort((a, b) => b - a)).toEqual(
      Array.from({ length: 100 }, (_, n) => 99 - n),
    );
    expect(withStatus(answers, 429)).toHaveLength(900);
    // A change of plan and a revocation count in every process within a second.
    await run(["keys", "create", "--workspace", "Acme", "--plan", "enterprise", "--limit", "5000"], env);
    await sleep(1000);
    const later = await sendMany(urls, 4, () => ({ Authorization: `Bearer ${key}` }));
    expect(later.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    await run(["keys", "revoke", key.slice(0, 9)], env);
    await sleep(1000);
    const revoked = await sendMany(urls, 4, () => ({ Authorization: `Bearer ${key}` }));
    expect(revoked.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  test("count wrong keys by address, which no header changes, and remember nothing of the keys", async () => {
    const redis = await startRedis();
    const env = { DATA_DIR: temporaryFolder(), REDIS_URL: redis.url };
    const processes = await Promise.all([1, 2].map(() => serve(env)));
    const answers = await sendMany(
      processes.map(({ url }) => url),
      1000,
      (n) => ({
        Authorization: `Bearer ps_${String(n).padStart(36, "0")}`,
        "X-Forwarded-For": `10.0.${n >> 8}.${n & 255}`,
      }),
    );
    expect(withStatus(answers, 401)).toHaveLength(600);
    expect(withStatus(answers, 429)).toHaveLength(400);
    expect(redis.ask("keys", "*")).toBe("page-service:address:127.0.0.1");
  });

  test("answer on when Redis dies under load, say it in one line each, and are together again when it is back", async () => {
    const redis = await startRedis();
    const env = { DATA_DIR: temporaryFolder(), REDIS_URL: redis.url };
    const key = await createKey(env, "--plan", "enterprise", "--limit", "100000");
    const processes = await Promise.all([1, 2].map(() => serve(env)));
    const urls = processes.map(({ url }) => url);
    const headers = (): Record<string, string> => ({ Authorization: `Bearer ${key}` });
    let killed = false;
    const seen: number[] = [];
    const load = async (): Promise<void> => {
      for (let round = 0; round < 40; round += 1) {
        seen.push(...(await sendMany(urls, 50, headers)).map(({ status }) => status));
        if (round === 10) {
          await redis.kill();
          killed = true;
        }
      }
    };
    await load();
    expect(killed).toBe(true);
    expect(new Set(seen)).toEqual(new Set([404]));
    const lines = (text: string): number[] =>
      processes.map(({ output }) => output().stdout.split(text).length - 1);
    await sleep(100);
    expect(lines("Redis is out of reach")).toEqual([1, 1]);
    await redis.start();
    await Promise.all(processes.map(({ printed }) => printed("Redis is back")));
    const [first] = await sendMany(urls.slice(0, 1), 1, headers);
    const [second] = await sendMany(urls.slice(1), 1, headers);
    expect((first?.remaining ?? 0) - (second?.remaining ?? 0)).toBe(1);
    expect(lines("Redis is out of reach")).toEqual([1, 1]);
  });
});
