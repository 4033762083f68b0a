import { inject, onTestFinished } from "vitest";
import Database from "libsql";
import { Client } from "pg";
import { isPostgresUrl } from "../../src/storage/engine/location.js";
import { createTemporaryPath } from "../service/storage/open.js";
import { createDatabase, query } from "./postgres.js";

const server = inject("postgres");

/** Reason why tests with PostgreSQL are skipped; undefined if there is a server. */
export const NO_POSTGRES =
  server === null ? "there is no PostgreSQL server (set TEST_DATABASE_URL)" : undefined;
/** Whether there is a PostgreSQL server for tests. */
export const hasPostgres = server !== null;

/**
 * The kinds of databases, for `test.each` and `describe.each`: a name, and a function that creates an empty database for
 * one test and returns its location. PostgreSQL only if there is a server, and with the tables of the service.
 */
export const stores: [name: string, newLocation: () => Promise<string>][] = [
  ["a file", async () => createTemporaryPath()],
  ["memory", async () => ":memory:"],
];
if (hasPostgres) stores.push(["PostgreSQL", newPostgresDatabase]);

/**
 * Like `stores`, but a PostgreSQL database can have had the rows of other tests, which takes a tenth of the time. Not for tests of
 * plans, statistics or space, nor for those whose connections remain open.
 */
export const reusableStores = stores.map(([name, newLocation]): (typeof stores)[number] => [
  name,
  name === "PostgreSQL" ? takeCleanPostgresDatabase : newLocation,
]);

/** The kinds of databases that several processes can share. */
export const sharedStores = stores.filter(([name]) => name !== "memory");

/** Whether tests that do not choose a database run on PostgreSQL. */
export const usePostgres = process.env.STORE === "postgres" && hasPostgres;

/** Creates an empty database of the run's kind that several processes can share, and returns its location. */
export async function newLocation(): Promise<string> {
  return usePostgres ? newPostgresDatabase() : createTemporaryPath();
}

/** Creates an empty database of the run's kind, as fast as possible, and returns its location. */
export async function newServiceLocation(): Promise<string> {
  return usePostgres ? takeCleanPostgresDatabase() : ":memory:";
}

/** Databases of finished tests, with tables but without rows. They are reused, because creating one is slow. */
const cleanDatabases: string[] = [];

async function takeCleanPostgresDatabase(): Promise<string> {
  const location = cleanDatabases.pop() ?? (await createPostgresDatabase());
  onTestFinished(async () => {
    await removeRows(location);
    cleanDatabases.push(location);
  });
  return location;
}

/** Size of a database above which its tables are truncated. */
const MAX_BYTES_WITH_DEAD_ROWS = 4_000_000;

/**
 * Removes all rows of a database, but not those of its migrations. Deleting takes milliseconds and truncating up to 0.4 s, but
 * deleted rows slow down later queries until they are vacuumed.
 */
async function removeRows(location: string): Promise<void> {
  const tables = await query<{ name: string; bytes: number }>(
    location,
    `SELECT quote_ident(relname) AS name, pg_table_size(oid)::float8 AS bytes FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT LIKE 'kysely%'`,
  );
  const names = tables.map(({ name }) => name);
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  // One statement, because foreign keys are checked at its end.
  const deletions = names.map((name, index) => `deletion${index} AS (DELETE FROM ${name})`);
  const deleteAll = `WITH ${deletions.join(", ")} SELECT 1`;
  await query(location, bytes > MAX_BYTES_WITH_DEAD_ROWS ? `TRUNCATE ${names.join(", ")}` : deleteAll);
}

let databaseCount = 0;

/** Creates a PostgreSQL database with tables but without rows for one test, and returns its URL. */
export async function newPostgresDatabase(): Promise<string> {
  return dropAfterTest(await createPostgresDatabase());
}

/** Creates a PostgreSQL database without tables for one test, and returns its URL. */
export async function newEmptyPostgresDatabase(): Promise<string> {
  return dropAfterTest(await createPostgresDatabase({ isEmpty: true }));
}

function dropAfterTest(location: string): string {
  onTestFinished(async () => {
    const name = /:\/\/[^/]*\/([^?]*)/.exec(location)?.[1] ?? "";
    await query(server?.url ?? "", `DROP DATABASE "${name}" WITH (FORCE)`);
  });
  return location;
}

/** Creates a PostgreSQL database, which is dropped after the run. Copying one with tables is faster than creating them. */
async function createPostgresDatabase({ isEmpty = false } = {}): Promise<string> {
  if (server === null) throw new Error("There is no PostgreSQL server for tests.");
  databaseCount += 1;
  const name = `${server.prefix}${process.pid}_${databaseCount}`;
  return createDatabase(server.url, name, isEmpty ? undefined : server.template);
}

/** Lists the tables of a database, without the shadow tables of virtual tables. */
export async function listTables(location: string): Promise<string[]> {
  if (isPostgresUrl(location)) {
    const sql = "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'";
    return (await query<{ name: string }>(location, sql)).map(({ name }) => name);
  }
  const database = new Database(location);
  const sql =
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'";
  // The cast: the statement selects this column.
  const rows = database.prepare(sql).all() as { name: string }[];
  database.close();
  return rows.map(({ name }) => name);
}

/** Opens a second connection to a database, as another program does; it closes after the test. */
export async function openSecondConnection(location: string): Promise<(sql: string) => Promise<void>> {
  if (!isPostgresUrl(location)) {
    const database = new Database(location);
    onTestFinished(() => void database.close());
    return async (sql) => void database.exec(sql);
  }
  const client = new Client({ connectionString: location });
  await client.connect();
  onTestFinished(() => client.end());
  return async (sql) => void (await client.query(sql));
}
