import { expect } from "vitest";
import { countConnections } from "../../support/postgres.js";
import { testUnless } from "../../support/requirements.js";
import { startServer } from "../../support/server.js";
import { newPostgresDatabase, NO_POSTGRES } from "../../support/stores.js";
import { runInProcess } from "../run-in-process.js";

testUnless(NO_POSTGRES)("a command closes its connections to the database, also when it fails", async () => {
  const DATABASE_URL = await newPostgresDatabase();
  const { port } = new URL(await startServer(() => {}));
  for (const [command, code] of [
    ["workspaces create Acme", 0],
    ["workspaces create Acme", 2],
    // Its port is in use.
    ["serve", 2],
  ] as const) {
    const ended = await runInProcess(command.split(" "), { DATABASE_URL, PORT: port });
    expect([command, ended.code]).toEqual([command, code]);
    // The timeout is shorter than the time after which `pg` closes idle connections.
    await expect.poll(() => countConnections(DATABASE_URL), { timeout: 5000 }).toBe(0);
  }
});
