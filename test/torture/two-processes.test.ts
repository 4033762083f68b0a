import Database from "libsql";
import path from "node:path";
import { expect, test } from "vitest";
import { serve } from "../service/command.js";
import { runInProcess } from "../service/run-in-process.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { TEST_TIMEOUT_MS } from "../support/load.js";
import { type Target, WritingClient } from "./load.js";
import { createKey, chooseLength } from "./setup.js";

const rounds = chooseLength(1, 20);

test(
  `two processes that start together on one new SQLite file, ${rounds} times, lose no write`,
  { timeout: TEST_TIMEOUT_MS + rounds * 20_000 },
  async () => {
    let written = 0;
    for (let round = 0; round < rounds; round += 1) {
      const env = { DATA_DIR: createTemporaryFolder(), LOG_LEVEL: "silent" };
      const services = await Promise.all([serve(env), serve(env)]);
      const { stdout } = await runInProcess(["keys", "list", "--json"], env);
      // Exactly one of them creates the demo workspace.
      expect(JSON.parse(stdout)).toHaveLength(1);
      const made = await createKey(env);
      const targets: Target[] = services.map(({ url }) => ({ ...made, url }));
      const clients = targets.flatMap((target) =>
        Array.from({ length: 4 }, (_, index) => ({ target, client: new WritingClient(`client ${index}`) })),
      );
      await Promise.all(
        clients.map(({ target, client }) => client.run(target, () => client.acknowledged >= 20)),
      );
      for (const { client, target } of clients) {
        expect(client.refused).toEqual([]);
        // Reads through the other process.
        const other = targets.find((each) => each !== target) ?? target;
        expect(await client.findProblems(other)).toEqual([]);
        written += client.acknowledged;
      }
      for (const service of services) {
        service.process.kill("SIGTERM");
        expect((await service.ended).code).toBe(0);
      }
      const database = new Database(path.join(env.DATA_DIR, "page-service.db"));
      expect(database.pragma("integrity_check")).toEqual([{ integrity_check: "ok" }]);
      database.close();
    }
    console.log(`two processes on one new file, ${rounds} times: ${written} acknowledged writes, 0 lost`);
  },
);
