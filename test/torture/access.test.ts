import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createKeyForWorkspace, revokeNamedKey } from "../../src/access/operator-keys.js";
import { openStore } from "../../src/storage/engine/store.js";
import { serve } from "../service/command.js";
import { uncheckedFetch } from "../support/checked-responses.js";
import { NO_REDIS, startRedis } from "../support/redis.js";
import { sharedStores } from "../support/stores.js";
import { commandLocation, environmentFor, makeKey, percentile, times } from "./setup.js";
import { describeUnless } from "../support/requirements.js";

const PAGE = "/v1/pages/00000000-0000-7000-8000-000000000000";

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
