import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createKeyAsOperator, revokeKeyAsOperator } from "../../src/access/keys/operator-keys.js";
import { openStore } from "../../src/storage/engine/open-store.js";
import { createEnvironment, serve } from "../service/command.js";
import { uncheckedFetch } from "../support/checked-responses.js";
import { NO_REDIS, startRedis } from "../support/redis.js";
import { sharedStores } from "../support/stores.js";
import { toCommandLocation, createKey, getPercentile, chooseLength } from "./setup.js";
import { describeUnless } from "../support/requirements.js";

const PAGE = "/v1/pages/00000000-0000-7000-8000-000000000000";

describe.each(sharedStores)("in %s", (_, newLocation) => {
  test("a revoked key is refused within a second in each of four processes", async () => {
    const location = toCommandLocation(await newLocation());
    const env = createEnvironment(location);
    await createKey(env);
    const processes = await Promise.all([1, 2, 3, 4].map(() => serve({ ...env, LOG_LEVEL: "silent" })));
    const store = await openStore(location);
    const delays: number[] = [];
    for (let round = 0; round < chooseLength(2, 20); round += 1) {
      const { key } = await createKeyAsOperator(store, { workspaceName: "Load" });
      const sendRequest = async (url: string): Promise<number> =>
        (await uncheckedFetch(url + PAGE, { headers: { authorization: `Bearer ${key}` } })).status;
      for (const { url } of processes) expect(await sendRequest(url)).toBe(404);
      await revokeKeyAsOperator(store, key.slice(0, 9));
      const revoked = performance.now();
      await Promise.all(
        processes.map(async ({ url }) => {
          while ((await sendRequest(url)) !== 401) await sleep(10);
          delays.push(performance.now() - revoked);
        }),
      );
    }
    await store.close();
    console.log(`Refused at most ${Math.round(Math.max(...delays))} ms after the revocation`);
    expect(Math.max(...delays)).toBeLessThan(chooseLength(10_000, 1100));
  });
});

describeUnless(NO_REDIS)("Redis", () => {
  test("delays no request for long when it stops or hangs", async () => {
    const redis = await startRedis();
    const env = {
      ...createEnvironment(toCommandLocation((await sharedStores[0]?.[1]()) ?? "")),
      REDIS_URL: redis.url,
    };
    const { key } = await createKey(env);
    const service = await serve(env);
    const sendRequest = async (): Promise<number> => {
      const started = performance.now();
      const headers = { authorization: `Bearer ${key}` };
      const response = await uncheckedFetch(service.url + PAGE, { headers });
      await response.arrayBuffer();
      expect(response.status).toBe(404);
      return performance.now() - started;
    };
    /** Measures the p99 of the latency while an event happens. */
    const measureDuring = async (event: () => unknown): Promise<number> => {
      const latencies: number[] = [];
      const [before, after] = [chooseLength(300, 2000), chooseLength(700, 8000)];
      const end = performance.now() + before + after;
      const clients = Array.from({ length: 8 }, async () => {
        while (performance.now() < end) latencies.push(await sendRequest());
      });
      await sleep(before);
      await event();
      await Promise.all(clients);
      return getPercentile(latencies, 0.99);
    };
    await measureDuring(() => {});
    const usual = await measureDuring(() => {});
    const hanging = await measureDuring(redis.pause);
    // Resumed before that, Redis would not have been unavailable.
    await service.printed("Redis is unavailable");
    redis.resume();
    await service.printed("Redis is back");
    const stopped = await measureDuring(redis.kill);
    await redis.start();
    const deadline = performance.now() + 20_000;
    const logged = (text: string): number => service.output().stderr.split(text).length - 1;
    while (logged("Redis is back") < 2 && performance.now() < deadline) await sleep(20);
    expect(logged("Redis is back")).toBe(2);
    expect(logged("Redis is unavailable")).toBe(2);
    console.log(
      `p99 ${usual.toFixed(1)} ms with Redis, ${hanging.toFixed(1)} ms when it hangs, ${stopped.toFixed(1)} ms when it is stopped`,
    );
    expect(Math.max(hanging, stopped) - usual).toBeLessThan(chooseLength(Infinity, 50));
  });
});
