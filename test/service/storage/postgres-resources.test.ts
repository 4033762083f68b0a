import { expect, onTestFinished } from "vitest";
import { LockTimeoutError } from "../../../src/errors.js";
import { openPoolWithoutTimeouts } from "../../../src/storage/engine/postgres.js";
import { insertPage } from "../../../src/storage/pages/pages.js";
import { addPage, connect, readError } from "../../support/contract.js";
import { emptyPage } from "../../support/objects.js";
import { testUnless } from "../../support/requirements.js";
import { newPostgresDatabase, NO_POSTGRES, openSecondConnection } from "../../support/stores.js";
import { addDatabase } from "./fixtures.js";
import { openTestStore } from "./open.js";

/** Starts the service on a new database with a page, and opens a second connection to the database. */
async function startOnPostgres() {
  const database = await newPostgresDatabase();
  const connected = await connect({ database });
  const pageId = await addPage(connected);
  const run = await openSecondConnection(database);
  const post = () =>
    connected.send("POST", "/v1/pages", {
      parent: { database_id: connected.rootDatabaseId },
      properties: {},
    });
  const readId = async () => (await connected.client.retrievePage({ path: { page_id: pageId } })).body.id;
  return { connected, pageId, run, post, readId };
}

testUnless(NO_POSTGRES)(
  "while PostgreSQL lacks disk, memory or connections, writes get 503, reads succeed, and writes recover",
  async () => {
    const { connected, pageId, run, post, readId } = await startOnPostgres();
    for (const code of ["disk_full", "out_of_memory", "too_many_connections"]) {
      // The server raises the error itself, because its disk cannot be filled here.
      await run(`
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE ${code}; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON pages FOR EACH ROW EXECUTE FUNCTION refuse()`);
      const refused = await post();
      expect([code, refused.status, refused.headers.get("Retry-After")]).toEqual([code, 503, "5"]);
      expect((await readError(refused)).code).toBe("service_unavailable");
      expect(await readId()).toBe(pageId);
      await run("DROP FUNCTION refuse CASCADE");
      await addPage(connected);
    }
  },
);

testUnless(NO_POSTGRES)(
  "a write that waits for a lock of another program for too long is a conflict",
  async () => {
    const database = await newPostgresDatabase();
    const store = await openTestStore(database);
    const { workspaceId, databaseId } = await addDatabase(store);
    const run = await openSecondConnection(database);
    await run("BEGIN; LOCK TABLE pages");
    const write = store.write(workspaceId, (scope) => insertPage(scope, emptyPage(databaseId)));
    await expect(write).rejects.toThrow(LockTimeoutError);
    await run("COMMIT");
  },
);

testUnless(NO_POSTGRES)(
  "while PostgreSQL is read-only, writes get 503 and reads succeed, and writes recover with it",
  async () => {
    const { connected, pageId, run, post, readId } = await startOnPostgres();
    const setReadOnly = (value: "on" | "off"): Promise<void> =>
      run(`DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${value}', current_database());
      END $$`);
    await setReadOnly("on");
    // Connections that are open keep the setting that they began with.
    await run(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    const refused = await post();
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect(await readId()).toBe(pageId);
    await setReadOnly("off");
    await addPage(connected);
  },
);

testUnless(NO_POSTGRES)("migrations, exports and imports ignore the timeouts of a database", async () => {
  const database = await newPostgresDatabase();
  const run = await openSecondConnection(database);
  await run(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET statement_timeout = ''1h''', current_database());
    EXECUTE format('ALTER DATABASE %I SET lock_timeout = ''1h''', current_database());
  END $$`);
  const pool = openPoolWithoutTimeouts(database, { max: 1 });
  onTestFinished(() => pool.end());
  const { rows } = await pool.query(
    "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock",
  );
  expect(rows).toEqual([{ statement: "0", lock: "0" }]);
});
