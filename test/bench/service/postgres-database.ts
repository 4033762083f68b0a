import { findPostgres, query } from "../../support/postgres.js";

/**
 * Creates a database on a PostgreSQL server, runs a measurement on it, and drops it.
 *
 * @param measure receives the URL of the database
 * @throws Error when there is no server
 */
export async function withPostgresDatabase<T>(measure: (url: string) => Promise<T>): Promise<T> {
  const server = await findPostgres();
  if (!server.reachable) throw new Error(`There is no PostgreSQL server at ${server.reason}`);
  const name = `page_service_bench_${process.pid}`;
  await query(server.url, `CREATE DATABASE "${name}"`);
  try {
    return await measure(server.url.replace(/(:\/\/[^/]*\/)[^?]*/, `$1${name}`));
  } finally {
    await query(server.url, `DROP DATABASE "${name}" WITH (FORCE)`);
  }
}
