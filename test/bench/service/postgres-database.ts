import { findPostgres, query } from "../../support/postgres.js";

/**
 * Measures with a database of its own on a PostgreSQL server.
 *
 * @param measure gets the database's address
 * @throws Error when there is no server
 */
export async function onPostgres<T>(measure: (url: string) => Promise<T>): Promise<T> {
  const server = await findPostgres();
  if (!server.reachable) throw new Error(`no PostgreSQL at ${server.reason}`);
  const name = `page_service_bench_${process.pid}`;
  await query(server.url, `CREATE DATABASE "${name}"`);
  try {
    return await measure(server.url.replace(/(:\/\/[^/]*\/)[^?]*/, `$1${name}`));
  } finally {
    await query(server.url, `DROP DATABASE "${name}" WITH (FORCE)`);
  }
}
