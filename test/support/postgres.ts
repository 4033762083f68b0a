import { userInfo } from "node:os";
import { Client } from "pg";

/** The server of this machine, as Debian installs it, by its socket. */
const LOCAL = `postgres://${userInfo().username}@/postgres?host=/var/run/postgresql`;

/**
 * Looks for the PostgreSQL server of TEST_DATABASE_URL, or else of this machine. When it cannot be reached, `reason` says
 * why.
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
    // The address may hold a password.
    const place = process.env.TEST_DATABASE_URL === undefined ? LOCAL : "TEST_DATABASE_URL";
    return { reachable: false, reason: `${place}: ${cause}` };
  }
}

/** Runs one statement over a connection of its own, and gives its rows. */
export async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
