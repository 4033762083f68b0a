import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { signIn, signUp } from "../../src/access/sign-in.js";
import { createKey } from "../../src/access/api-keys.js";
import { createAuthenticate } from "../../src/access/authenticate.js";
import { createMemoryCounters } from "../../src/access/counters.js";
import { revokeNamedKey } from "../../src/access/keys.js";
import { createKeyForWorkspace } from "../../src/access/provision.js";
import { createRateLimiter } from "../../src/access/rate-limit.js";
import { openStore } from "../../src/storage/engine/store.js";
import { serve } from "../service/command.js";
import { openTestStore } from "../service/storage/open.js";
import { uncheckedFetch } from "../support/checked-responses.js";
import { Random, takeSeed } from "../support/random.js";
import { NO_REDIS, startRedis } from "../support/redis.js";
import { sharedStores } from "../support/stores.js";
import { commandLocation, environmentFor, makeKey, percentile, times } from "./setup.js";
import { welchT } from "./statistics.js";
import { describeUnless } from "../support/requirements.js";

const PAGE = "/v1/pages/00000000-0000-7000-8000-000000000000";

const random = new Random(takeSeed());

/** Requests with invented keys at once. */
const AT_ONCE = 200;

/** Times what is asked in random turns, in nanoseconds by its name. */
async function timed(
  asked: Record<string, () => Promise<unknown>>,
  samples: number,
): Promise<Record<string, number[]>> {
  const names = Object.keys(asked);
  const found: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  const warmUp = Math.floor(samples / 10);
  for (let sample = -warmUp; sample < samples; sample += 1) {
    const name = random.pick(names);
    const started = process.hrtime.bigint();
    await asked[name]?.();
    const took = Number(process.hrtime.bigint() - started);
    if (sample >= 0) found[name]?.push(took);
  }
  return found;
}

test("response times do not distinguish unknown keys from revoked keys", { timeout: 600_000 }, async () => {
  const store = await openTestStore();
  const revoked: string[] = [];
  for (let n = 0; n < 50; n += 1) {
    const { key } = await createKeyForWorkspace(store, { workspaceName: "Acme" });
    await revokeNamedKey(store, key.slice(0, 9));
    revoked.push(key);
  }
  const unknown = Array.from({ length: 50 }, createKey);
  const authenticate = createAuthenticate(store);
  const ask = (keys: readonly string[]) => () => authenticate(`Bearer ${random.pick(keys)}`);
  const found = await timed({ unknown: ask(unknown), revoked: ask(revoked) }, times(2000, 100_000));
  const t = welchT(found.unknown ?? [], found.revoked ?? []);
  const median = (name: string): number => percentile(found[name] ?? [], 0.5) / 1000;
  console.log(
    `Unknown ${median("unknown").toFixed(1)} µs, revoked ${median("revoked").toFixed(1)} µs, t = ${t.toFixed(2)}`,
  );
  expect(Math.abs(t)).toBeLessThan(times(Infinity, 4.5));
});

test(
  "response times do not distinguish unknown e-mail addresses from wrong passwords",
  { timeout: 600_000 },
  async () => {
    const store = await openTestStore();
    const account = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
    await signUp(store, { ...account, invitation: "" }, "open");
    const attempt = (email: string) =>
      signIn(store, { email, password: "not the password", invitation: "" }, "open");
    const found = await timed(
      {
        known: () => attempt("ada@example.org"),
        unknown: () => attempt("eve@example.org"),
      },
      times(10, 300),
    );
    const t = welchT(found.known ?? [], found.unknown ?? []);
    console.log(`Sign-in with a wrong password beside an unknown address: t = ${t.toFixed(2)}`);
    expect(Math.abs(t)).toBeLessThan(times(Infinity, 4.5));
  },
);

test("unknown keys leave no memory behind, from any number of addresses", { timeout: 600_000 }, async () => {
  const store = await openTestStore();
  const authenticate = createAuthenticate(store);
  const limiter = createRateLimiter(createMemoryCounters());
  const count = times(20_000, 1_000_000);
  const ask = async (n: number): Promise<void> => {
    // Every other one with a right checksum, which is looked up.
    const key = n % 2 === 0 ? createKey() : createKey().replace(/.$/, (last) => (last === "x" ? "y" : "x"));
    expect(await authenticate(`Bearer ${key}`)).toBeUndefined();
    await limiter.consumeAnonymous(`10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`);
  };
  const askMany = async (many: number): Promise<void> => {
    for (let n = 0; n < many; n += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_unused, index) => ask(n + index)));
  };
  await askMany(20_000);
  const before = process.memoryUsage.rss();
  await askMany(count);
  const grown = (process.memoryUsage.rss() - before) / 1e6;
  console.log(`${count} invented keys: ${Math.round(grown)} MB more`);
  expect(grown).toBeLessThan(times(Infinity, 50));
});

describe.each(sharedStores)("in %s", (_, newLocation) => {
  test(
    "a revoked key is refused within a second in each of four processes",
    { timeout: 300_000 },
    async () => {
      const location = commandLocation(await newLocation());
      const env = environmentFor(location);
      await makeKey(env);
      const processes = await Promise.all([1, 2, 3, 4].map(() => serve({ ...env, LOG_LEVEL: "silent" })));
      const store = await openStore(location);
      const delays: number[] = [];
      for (let round = 0; round < times(2, 20); round += 1) {
        const { key } = await createKeyForWorkspace(store, { workspaceName: "Load" });
        const ask = async (url: string): Promise<number> =>
          (await uncheckedFetch(url + PAGE, { headers: { authorization: `Bearer ${key}` } })).status;
        for (const { url } of processes) expect(await ask(url)).toBe(404);
        await revokeNamedKey(store, key.slice(0, 9));
        const revoked = performance.now();
        await Promise.all(
          processes.map(async ({ url }) => {
            while ((await ask(url)) !== 401) await sleep(10);
            delays.push(performance.now() - revoked);
          }),
        );
      }
      await store.close();
      console.log(`Refused ${Math.round(Math.max(...delays))} ms after the revocation at the latest`);
      expect(Math.max(...delays)).toBeLessThan(times(10_000, 1100));
    },
  );
});

describeUnless(NO_REDIS)("Redis", () => {
  test("when gone or hanging it delays no request for long", { timeout: 300_000 }, async () => {
    const redis = await startRedis();
    const env = {
      ...environmentFor(commandLocation((await sharedStores[0]?.[1]()) ?? "")),
      REDIS_URL: redis.url,
    };
    const { key } = await makeKey(env);
    const service = await serve(env);
    const ask = async (): Promise<number> => {
      const started = performance.now();
      const headers = { authorization: `Bearer ${key}` };
      const response = await uncheckedFetch(service.url + PAGE, { headers });
      await response.arrayBuffer();
      expect(response.status).toBe(404);
      return performance.now() - started;
    };
    /** The p99 of a while, in the middle of which something happens. */
    const during = async (event: () => unknown): Promise<number> => {
      const latencies: number[] = [];
      const [before, after] = [times(300, 2000), times(700, 8000)];
      const end = performance.now() + before + after;
      const clients = Array.from({ length: 8 }, async () => {
        while (performance.now() < end) latencies.push(await ask());
      });
      await sleep(before);
      await event();
      await Promise.all(clients);
      return percentile(latencies, 0.99);
    };
    await during(() => {});
    const usual = await during(() => {});
    const hanging = await during(redis.pause);
    redis.resume();
    await service.printed("Redis is back");
    const gone = await during(redis.kill);
    await redis.start();
    const deadline = performance.now() + 20_000;
    const logged = (text: string): number => service.output().stderr.split(text).length - 1;
    while (logged("Redis is back") < 2 && performance.now() < deadline) await sleep(20);
    expect(logged("Redis is back")).toBe(2);
    expect(logged("Redis is unavailable")).toBe(2);
    console.log(
      `p99 ${usual.toFixed(1)} ms with Redis, ${hanging.toFixed(1)} ms when it hangs, ${gone.toFixed(1)} ms when it is gone`,
    );
    expect(Math.max(hanging, gone) - usual).toBeLessThan(times(Infinity, 50));
  });
});
