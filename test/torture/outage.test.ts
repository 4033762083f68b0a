import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { serve } from "../service/command.js";
import { uncheckedFetch } from "../support/checked-responses.js";
import { findServerPrograms, startCluster } from "./cluster.js";
import { ask, type Target, WritingClient } from "./load.js";
import { startProxy } from "./proxy.js";
import { describeUnless, missingProgram } from "../support/requirements.js";
import { makeKey, percentile, times } from "./setup.js";

const programs = findServerPrograms();
const missing = missingProgram(
  programs !== undefined,
  "the programs of a PostgreSQL server are not installed",
);

// On a machine that does other things as well, times say little: `npm run torture` has it for itself.
/** Milliseconds within which a request is answered while the database is gone. */
const REFUSAL = times(20_000, 2000);
/** Milliseconds after the return of the database within which the service answers as before. */
const RECOVERY = times(30_000, 5000);

async function statusOf(url: string): Promise<number> {
  return (await uncheckedFetch(url)).status;
}

describeUnless(missing)("PostgreSQL", () => {
  const outages = times(2, 20);
  test(
    `stops ${outages} times under load: requests get 503, nothing is lost, and the service recovers`,
    { timeout: 120_000 + outages * 20_000 },
    async () => {
      const cluster = await startCluster(programs ?? "");
      const env = { DATABASE_URL: cluster.url };
      const made = await makeKey(env);
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
        expect(await statusOf(`${service.url}/livez`)).toBe(200);
        expect(await statusOf(`${service.url}/readyz`)).toBe(503);
        const read = await ask(target, "GET", "/v1/users/me");
        expect([read?.status, read?.body.code]).toEqual([503, "service_unavailable"]);
        await cluster.start();
        const returned = performance.now();
        const during = acknowledged();
        while (acknowledged() === during) await sleep(5);
        recoveries.push(performance.now() - returned);
        expect(await statusOf(`${service.url}/readyz`)).toBe(200);
      }
      over = true;
      await load;
      const slowest = Math.max(...clients.map((client) => client.slowestRefusal));
      const problems: string[] = [];
      for (const client of clients) problems.push(...(await client.problems(target)));
      console.log(
        `${outages} outages, ${acknowledged()} acknowledged writes, ${problems.length} lost or in parts; ` +
          `${refused().length} refused, the slowest after ${Math.round(slowest)} ms; ` +
          `well again after ${Math.round(Math.max(...recoveries))} ms at most`,
      );
      expect(problems).toEqual([]);
      expect(new Set(refused())).toEqual(new Set(["503 service_unavailable"]));
      expect(slowest).toBeLessThan(REFUSAL);
      expect(Math.max(...recoveries)).toBeLessThan(RECOVERY);
      expect(service.process.exitCode).toBeNull();
    },
  );

  test(
    "is unreachable for 30 s: every request gets a response, and the service recovers",
    { timeout: 180_000 },
    async () => {
      const cluster = await startCluster(programs ?? "");
      const proxy = await startProxy(cluster.port);
      const env = { DATABASE_URL: cluster.url.replace(String(cluster.port), String(proxy.port)) };
      const made = await makeKey(env);
      const service = await serve({ ...env, LOG_LEVEL: "error" });
      const target: Target = { ...made, url: service.url };
      const request = (index: number): ReturnType<typeof ask> =>
        index % 2 === 0
          ? ask(target, "GET", `/v1/databases/${made.databaseId}`)
          : ask(target, "POST", "/v1/pages", { parent: { database_id: made.databaseId }, properties: {} });
      const requests = (count: number) =>
        Promise.all(Array.from({ length: count }, (_, index) => request(index)));
      /** A database that is near answers all of them; a few at a time, as a process that gets hardly any of the machine
       * refuses those that wait for seconds behind the others. */
      const expectHealth = async (): Promise<void> => {
        for (let round = 0; round < 20; round += 1) {
          for (const answer of await requests(10)) expect(answer?.status, service.output().stdout).toBe(200);
        }
      };
      await expectHealth();

      proxy.delay = 30_000;
      const answers = await requests(200);
      const slowest = Math.max(...answers.map((answer) => answer?.milliseconds ?? Infinity));
      const median = percentile(
        answers.map((answer) => answer?.milliseconds ?? Infinity),
        0.5,
      );
      console.log(
        `30 s away: answered after ${Math.round(median)} ms (median), ${Math.round(slowest)} ms at most`,
      );
      expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([503]));
      expect(slowest).toBeLessThan(60_000);
      expect(await statusOf(`${service.url}/livez`)).toBe(200);
      expect(await statusOf(`${service.url}/readyz`)).toBe(503);

      proxy.delay = 0;
      const deadline = performance.now() + RECOVERY;
      let status: number | undefined;
      while (status !== 200 && performance.now() < deadline) {
        status = (await ask(target, "GET", `/v1/databases/${made.databaseId}`))?.status;
      }
      expect(status).toBe(200);
      await expectHealth();
    },
  );
});
