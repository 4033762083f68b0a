import { inject, onTestFinished } from "vitest";
import Database from "libsql";
import { Client } from "pg";
import { isPostgresUrl } from "../../src/storage/engine/location.js";
import { createTemporaryPath } from "../service/storage/open.js";
import { query } from "./postgres.js";

const server = inject("postgres");

/** Reason why tests with PostgreSQL are skipped; undefined if there is a server. */
export const NO_POSTGRES =
  server === null ? "there is no PostgreSQL server (set TEST_DATABASE_URL)" : undefined;
/** Whether there is a PostgreSQL server for tests. */
export const hasPostgres = server !== null;

/**
 * The kinds of databases, for `test.each` and `describe.each`: a name, and a function that creates an empty database for
 * one test and returns its location. PostgreSQL only if there is a server.
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
    if (await removeRows(location)) cleanDatabases.push(location);
  });
  return location;
}

/** Size of a database above which its tables are truncated. */
const MAX_BYTES_WITH_DEAD_ROWS = 4_000_000;

/**
 * Removes all rows of a database, but not those of its migrations. Deleting takes milliseconds and truncating up to 0.4 s, but
 * deleted rows slow down later queries until they are vacuumed.
 *
 * @returns whether the database has tables
 */
async function removeRows(location: string): Promise<boolean> {
  const tables = await query<{ name: string; bytes: number }>(
    location,
    `SELECT quote_ident(relname) AS name, pg_table_size(oid)::float8 AS bytes FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT LIKE 'kysely%'`,
  );
  if (tables.length === 0) return false;
  const names = tables.map(({ name }) => name);
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  // One statement, because foreign keys are checked at its end.
  const deletions = names.map((name, index) => `deletion${index} AS (DELETE FROM ${name})`);
  const deleteAll = `WITH ${deletions.join(", ")} SELECT 1`;
  await query(location, bytes > MAX_BYTES_WITH_DEAD_ROWS ? `TRUNCATE ${names.join(", ")}` : deleteAll);
  return true;
}

let databaseCount = 0;

/** Creates an empty PostgreSQL database for one test, and returns its URL. */
export async function newPostgresDatabase(): Promise<string> {
  const location = await createPostgresDatabase();
  onTestFinished(async () => {
    const name = /:\/\/[^/]*\/([^?]*)/.exec(location)?.[1] ?? "";
    await query(server?.url ?? "", `DROP DATABASE "${name}" WITH (FORCE)`);
  });
  return location;
}

/** Creates an empty PostgreSQL database, which is dropped after the run. */
async function createPostgresDatabase(): Promise<string> {
  if (server === null) throw new Error("There is no PostgreSQL server for tests.");
  databaseCount += 1;
  const name = `${server.prefix}${process.pid}_${databaseCount}`;
  // A collation that differs from the byte order of most test servers: the service must not depend on it.
  const locale = `TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'`;
  await query(server.url, `CREATE DATABASE "${name}" ${locale}`);
  return server.url.replace(/(:\/\/[^/]*\/)[^?]*/, `$1${name}`);
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
