import { userInfo } from "node:os";
import { Client } from "pg";

/** The local server by its socket, as installed by Debian. */
const LOCAL = `postgres://${userInfo().username}@/postgres?host=/var/run/postgresql`;

/**
 * Finds the PostgreSQL server of TEST_DATABASE_URL, or the local one. `reason` explains why it is unreachable.
 */
export async function findPostgres(): Promise<
  { reachable: true; url: string } | { reachable: false; reason: string }
> {
  const url = process.env.TEST_DATABASE_URL ?? LOCAL;
  try {
    await query(url, "SELECT 1");
    return { reachable: true, url };
  } catch (error) {
    const cause = error instanceof Error ? error.message || error.name : String(error);
    // The URL can contain a password.
    const place = process.env.TEST_DATABASE_URL === undefined ? LOCAL : "TEST_DATABASE_URL";
    return { reachable: false, reason: `${place}: ${cause}` };
  }
}

/** Runs a statement on its own connection and returns the rows. */
export async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Creates a PostgreSQL database next to that of the URL.
 *
 * @param template the database to copy, to which nothing may be connected; an empty one if omitted
 * @returns its URL
 */
export async function createDatabase(url: string, name: string, template?: string): Promise<string> {
  // A collation that differs from the byte order of most test servers: the service must not depend on it.
  const source =
    template === undefined ? `template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'` : `"${template}"`;
  await query(url, `CREATE DATABASE "${name}" TEMPLATE ${source}`);
  return url.replace(/(:\/\/[^/]*\/)[^?]*/, `$1${name}`);
}

/** Counts the connections to a database, without that of the query itself. */
export async function countConnections(url: string): Promise<number | undefined> {
  const text =
    "SELECT count(*)::int AS count FROM pg_stat_activity " +
    "WHERE datname = current_database() AND pid <> pg_backend_pid()";
  const [row] = await query<{ count: number }>(url, text);
  return row?.count;
}
