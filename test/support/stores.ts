import { inject, onTestFinished } from "vitest";
import Database from "libsql";
import { Client } from "pg";
import { isPostgresUrl } from "../../src/storage/postgres-store.js";
import { temporaryFile } from "../storage/open.js";
import { query } from "./postgres.js";

const server = inject("postgres");

/** Whether there is a PostgreSQL server for tests. */
export const hasPostgres = server !== null;

/**
 * The databases that the service runs on, for `test.each` and `describe.each`: a name, and what makes an empty one that
 * goes away after the test and gives its location. Without a PostgreSQL server, of which the run has told, SQLite alone.
 */
export const stores: [name: string, newLocation: () => Promise<string>][] = [
  ["a file", async () => temporaryFile()],
  ["memory", async () => ":memory:"],
];
if (hasPostgres) stores.push(["PostgreSQL", newPostgresDatabase]);

/** Those that several processes can share. */
export const sharedStores = stores.filter(([name]) => name !== "memory");

/** Whether the tests of this run that do not choose a database run on PostgreSQL. */
const usePostgres = process.env.STORE === "postgres" && hasPostgres;

/** The location of an empty database that several processes can share, of the kind that the run is about. */
export async function newLocation(): Promise<string> {
  return usePostgres ? newPostgresDatabase() : temporaryFile();
}

/** The location of an empty database of the kind that the run is about, the fastest to make. */
export async function newServiceLocation(): Promise<string> {
  return usePostgres ? cleanPostgresDatabase() : ":memory:";
}

/** Databases of this file's tests that are over, with their tables and without rows: making them takes the longest. */
const clean: string[] = [];

async function cleanPostgresDatabase(): Promise<string> {
  const location = clean.pop() ?? (await createPostgresDatabase());
  onTestFinished(async () => {
    const tables = await query<{ name: string }>(
      location,
      "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%'",
    );
    if (tables.length === 0) return;
    await query(location, `TRUNCATE ${tables.map(({ name }) => name).join(", ")}`);
    clean.push(location);
  });
  return location;
}

let made = 0;

/** Makes an empty PostgreSQL database that goes away after the test, and gives its address. */
export async function newPostgresDatabase(): Promise<string> {
  const location = await createPostgresDatabase();
  onTestFinished(async () => {
    const name = /:\/\/[^/]*\/([^?]*)/.exec(location)?.[1] ?? "";
    await query(server?.url ?? "", `DROP DATABASE "${name}" WITH (FORCE)`);
  });
  return location;
}

/** Makes an empty PostgreSQL database that goes away after the run. */
async function createPostgresDatabase(): Promise<string> {
  if (server === null) throw new Error("There is no PostgreSQL server for tests.");
  made += 1;
  const name = `${server.prefix}${process.pid}_${made}`;
  await query(server.url, `CREATE DATABASE "${name}"`);
  return server.url.replace(/(:\/\/[^/]*\/)[^?]*/, `$1${name}`);
}

/** Another program's connection to a database, which ends with the test. */
export async function openBeside(location: string): Promise<(sql: string) => Promise<void>> {
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
