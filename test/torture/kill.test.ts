import { setTimeout as sleep } from "node:timers/promises";
import Database from "libsql";
import { describe, expect, test } from "vitest";
import { isPostgresUrl } from "../../src/storage/engine/location.js";
import { createEnvironment, serve, start } from "../service/command.js";
import { runInProcess } from "../service/run-in-process.js";
import { kinds } from "../service/storage/transfer/command.js";
import { TEST_TIMEOUT_MS } from "../support/load.js";
import { Random, takeSeed } from "../support/random.js";
import { sharedStores } from "../support/stores.js";
import { type Target, WritingClient } from "./load.js";
import { toCommandLocation, createKey, getPercentile, chooseLength } from "./setup.js";

const CLIENTS = 16;

/** Checks the integrity of a SQLite file. PostgreSQL recovers from its own log. */
function checkIntegrity(location: string): void {
  if (isPostgresUrl(location)) return;
  const database = new Database(toCommandLocation(location));
  expect(database.pragma("integrity_check")).toEqual([{ integrity_check: "ok" }]);
  database.close();
}

describe.each(sharedStores)("on %s", (store, newLocation) => {
  const kills = chooseLength(2, 200);
  test(
    `killed ${kills} times under load, the service loses no acknowledged write`,
    { timeout: TEST_TIMEOUT_MS + kills * 10_000 },
    async () => {
      const random = new Random(takeSeed());
      const location = await newLocation();
      const env = createEnvironment(location);
      const made = await createKey(env);
      const clients = Array.from({ length: CLIENTS }, (_, index) => new WritingClient(`client ${index}`));
      const acknowledged = (): number => clients.reduce((sum, client) => sum + client.acknowledged, 0);
      const starts: number[] = [];
      const problems: string[] = [];
      for (let round = 0; round <= kills; round += 1) {
        const before = performance.now();
        const service = await serve({ ...env, LOG_LEVEL: "silent" });
        starts.push(performance.now() - before);
        const target: Target = { ...made, url: service.url };
        // Checks the last pages of each client, which the kill can have damaged, and all pages in the last round.
        const count = round === kills ? Infinity : 2;
        for (const client of clients) problems.push(...(await client.findProblems(target, count)));
        if (round === kills) break;
        // In every second round another process writes to the same database, and continues when the first is killed.
        const other = round % 2 === 1 ? await serve({ ...env, LOG_LEVEL: "silent" }) : undefined;
        const load = Promise.all(
          clients.map((client, index) =>
            client.run(other && index % 2 === 1 ? { ...made, url: other.url } : target),
          ),
        );
        const enough = acknowledged() + 50 + random.below(200);
        while (acknowledged() < enough) await sleep(1);
        await sleep(random.below(10));
        service.process.kill("SIGKILL");
        if (other) {
          await sleep(random.below(100));
          other.process.kill("SIGKILL");
        }
        await load;
      }
      const refused = clients.flatMap((client) => client.refused);
      console.log(
        `${store}: ${kills} kills, ${acknowledged()} acknowledged writes, ${problems.length} lost or incomplete; ` +
          `restart p99 ${Math.round(getPercentile(starts, 0.99))} ms; refused: ${refused.length}`,
      );
      expect(problems).toEqual([]);
      expect(refused).toEqual([]);
      checkIntegrity(location);
    },
  );
});

const boots = chooseLength(1, 50);
describe.each(kinds)("in %s", (_, newLocation) => {
  test(
    `killed ${boots} times during its first start, the service starts the next time`,
    { timeout: TEST_TIMEOUT_MS + boots * 10_000 },
    async () => {
      const random = new Random(takeSeed());
      for (let round = 0; round < boots; round += 1) {
        const location = await newLocation();
        const env = createEnvironment(location);
        const first = start(["serve"], { ...env, PORT: "0" });
        await sleep(random.below(900));
        first.process.kill("SIGKILL");
        await first.ended;
        const second = await serve(env);
        expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
        second.process.kill("SIGTERM");
        expect((await second.ended).code).toBe(0);
        const { code, stdout } = await runInProcess(["keys", "list", "--json"], env);
        expect(code).toBe(0);
        // Exactly one of the starts creates the demo workspace.
        expect(JSON.parse(stdout)).toHaveLength(1);
      }
    },
  );
});
