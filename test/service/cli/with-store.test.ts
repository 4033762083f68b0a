import { existsSync, writeFileSync } from "node:fs";
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

test.each([
  [["workspaces", "create", ""]],
  [["workspaces", "create", " "]],
  [["workspaces", "create", "Acme", "--limit", "5"]],
  [["keys", "create", "--json", "--workspace", ""]],
  [["keys", "create", "--json", "--workspace", "Acme", "--name", ""]],
  [["keys", "create", "--create-workspace", "--workspace", "Acme", "--expires", "0m"]],
])("a refused command leaves no new database behind: %j", async (args) => {
  const DATA_DIR = path.join(createTemporaryFolder(), "missing");
  expect((await runInProcess(args, { DATA_DIR })).code).toBe(2);
  expect(existsSync(DATA_DIR)).toBe(false);
});

test("a command that creates a database reports it on standard error, but not to programs", async () => {
  const create = async (DATA_DIR: string, name: string, ...options: string[]) =>
    (await runInProcess(["workspaces", "create", name, ...options], { DATA_DIR })).stderr;
  const DATA_DIR = path.join(createTemporaryFolder(), "missing");
  expect(await create(DATA_DIR, "Acme")).toBe(
    `Created the database ${path.join(DATA_DIR, "page-service.db")}. If the service has another one, set DATA_DIR or DATABASE_URL to the value that it uses.\n`,
  );
  expect(await create(DATA_DIR, "Other")).toBe("");
  expect(await create(createTemporaryFolder(), "Acme", "--json")).toBe("");
});
