import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { serve } from "../service/command.js";
import { uncheckedFetch } from "../support/checked-responses.js";
import { TEST_TIMEOUT_MS } from "../support/load.js";
import { findServerPrograms, startCluster } from "./cluster.js";
import { sendRequest, type Target, WritingClient } from "./load.js";
import { startProxy } from "./proxy.js";
import { describeUnless, missingProgram } from "../support/requirements.js";
import { createKey, getPercentile, chooseLength } from "./setup.js";

const programs = findServerPrograms();
const missing = missingProgram(
  programs !== undefined,
  "the programs of a PostgreSQL server are not installed",
);

// The limits of `npm test` are loose, because it runs on busy machines. `npm run torture` expects an idle machine.
/** Time limit for a response while the database is stopped. */
const MAX_REFUSAL_MS = chooseLength(20_000, 2000);
/** Time limit for the service to recover after the database has started again. */
const MAX_RECOVERY_MS = chooseLength(30_000, 5000);

async function getStatus(url: string): Promise<number> {
  return (await uncheckedFetch(url)).status;
}

describeUnless(missing)("PostgreSQL", () => {
  const outages = chooseLength(2, 20);
  test(
    `stops ${outages} times under load: requests get 503, nothing is lost, and the service recovers`,
    { timeout: TEST_TIMEOUT_MS + outages * 20_000 },
    async () => {
      const cluster = await startCluster(programs ?? "");
      const env = { DATABASE_URL: cluster.url };
      const made = await createKey(env);
      const service = await serve({ ...env, LOG_LEVEL: "silent" });
      const target: Target = { ...made, url: service.url };
      const clients = Array.from({ length: 8 }, (_, index) => new WritingClient(`client ${index}`));
      const acknowledged = (): number => clients.reduce((sum, client) => sum + client.acknowledged, 0);
      const refused = (): string[] => clients.flatMap((client) => client.refused);
      const recoveries: number[] = [];
      let over = false;
      const load = Promise.all(clients.map((client) => client.run(target, () => over)));
      for (let round = 0; round < outages; round += 1) {
        const before = acknowledged();
        while (acknowledged() < before + 50) await sleep(5);
        await cluster.crash();
        const refusals = refused().length;
        while (refused().length < refusals + 20) await sleep(5);
        expect(await getStatus(`${service.url}/livez`)).toBe(200);
        expect(await getStatus(`${service.url}/readyz`)).toBe(503);
        const read = await sendRequest(target, "GET", "/v1/users/me");
        expect([read?.status, read?.body.code]).toEqual([503, "service_unavailable"]);
        await cluster.start();
        const returned = performance.now();
        const during = acknowledged();
        while (acknowledged() === during) await sleep(5);
        recoveries.push(performance.now() - returned);
        expect(await getStatus(`${service.url}/readyz`)).toBe(200);
      }
      over = true;
      await load;
      const slowest = Math.max(...clients.map((client) => client.slowestRefusal));
      const problems: string[] = [];
      for (const client of clients) problems.push(...(await client.findProblems(target)));
      console.log(
        `${outages} outages, ${acknowledged()} acknowledged writes, ${problems.length} lost or incomplete; ` +
          `${refused().length} refused, the slowest after ${Math.round(slowest)} ms; ` +
          `recovered within ${Math.round(Math.max(...recoveries))} ms`,
      );
      expect(problems).toEqual([]);
      expect(new Set(refused())).toEqual(new Set(["503 service_unavailable"]));
      expect(slowest).toBeLessThan(MAX_REFUSAL_MS);
      expect(Math.max(...recoveries)).toBeLessThan(MAX_RECOVERY_MS);
      expect(service.process.exitCode).toBeNull();
    },
  );

  test("is unreachable for 30 s: every request gets a response, and the service recovers", async () => {
    const cluster = await startCluster(programs ?? "");
    const proxy = await startProxy(cluster.port);
    const env = { DATABASE_URL: cluster.url.replace(String(cluster.port), String(proxy.port)) };
    const made = await createKey(env);
    const service = await serve({ ...env, LOG_LEVEL: "error" });
    const target: Target = { ...made, url: service.url };
    const request = (index: number): ReturnType<typeof sendRequest> =>
      index % 2 === 0
        ? sendRequest(target, "GET", `/v1/databases/${made.databaseId}`)
        : sendRequest(target, "POST", "/v1/pages", {
            parent: { database_id: made.databaseId },
            properties: {},
          });
    const requests = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => request(index)));
    /** Expects 200 for every request, a few at a time, because a service on a busy machine rejects requests that queue for
     * seconds. */
    const expectHealth = async (): Promise<void> => {
      for (let round = 0; round < 20; round += 1) {
        for (const response of await requests(10))
          expect(response?.status, service.output().stdout).toBe(200);
      }
    };
    await expectHealth();

    proxy.delay = 30_000;
    const responses = await requests(200);
    const slowest = Math.max(...responses.map((response) => response?.milliseconds ?? Infinity));
    const median = getPercentile(
      responses.map((response) => response?.milliseconds ?? Infinity),
      0.5,
    );
    console.log(
      `unreachable for 30 s: responses after ${Math.round(median)} ms (median), ${Math.round(slowest)} ms at most`,
    );
    expect(new Set(responses.map((response) => response?.status))).toEqual(new Set([503]));
    expect(slowest).toBeLessThan(60_000);
    expect(await getStatus(`${service.url}/livez`)).toBe(200);
    expect(await getStatus(`${service.url}/readyz`)).toBe(503);

    proxy.delay = 0;
    const deadline = performance.now() + MAX_RECOVERY_MS;
    let status: number | undefined;
    while (status !== 200 && performance.now() < deadline) {
      status = (await sendRequest(target, "GET", `/v1/databases/${made.databaseId}`))?.status;
    }
    expect(status).toBe(200);
    await expectHealth();
  });
});
