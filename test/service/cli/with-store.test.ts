import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { countConnections } from "../../support/postgres.js";
import { testUnless } from "../../support/requirements.js";
import { startServer } from "../../support/server.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { newEmptyPostgresDatabase, newPostgresDatabase, NO_POSTGRES } from "../../support/stores.js";
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

testUnless(NO_POSTGRES)(
  "a command that reads creates no tables in a PostgreSQL database without tables",
  async () => {
    const DATABASE_URL = await newEmptyPostgresDatabase();
    const ended = await runInProcess(["keys", "list"], { DATABASE_URL });
    expect(ended).toMatchObject({
      code: 2,
      stderr: "page-service: The database has no tables. Check DATABASE_URL or DATA_DIR.\n",
    });
    await runInProcess(["workspaces", "create", "Acme"], { DATABASE_URL });
    expect(await runInProcess(["keys", "list"], { DATABASE_URL })).toMatchObject({ code: 0 });
  },
);

testUnless(NO_POSTGRES)("a PostgreSQL user without the right to create tables is explained", async () => {
  const location = await newEmptyPostgresDatabase();
  // Nobody may create tables in this schema.
  const DATABASE_URL = `${location}${location.includes("?") ? "&" : "?"}options=-c%20search_path%3Dpg_catalog`;
  expect(await runInProcess(["workspaces", "create", "Acme"], { DATABASE_URL })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^page-service: PostgreSQL is unavailable: permission denied .*\. Make the user of DATABASE_URL the owner of the database and its tables\.\n$/,
    ),
  });
});

test("a command that reads creates no tables in an empty SQLite file", async () => {
  const DATA_DIR = createTemporaryFolder();
  writeFileSync(path.join(DATA_DIR, "page-service.db"), "");
  const ended = await runInProcess(["keys", "list"], { DATA_DIR });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("The database has no tables.") });
});
