import type { TestProject } from "vitest/node";
import { migratePostgres } from "../../src/storage/engine/migrations/index.js";
import { createDatabase, findPostgres, query } from "./postgres.js";

declare module "vitest" {
  interface ProvidedContext {
    /**
     * The PostgreSQL server for tests, the prefix of their databases, and the name of one with tables but without rows, which is
     * only copied; null without a server.
     */
    postgres: { url: string; prefix: string; template: string } | null;
  }
}

/**
 * Provides the PostgreSQL server and a migrated database to tests, and drops all of their databases after the run. Without a server
 * it prints what is skipped; with CI=true that is an error.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const found = await findPostgres();
  if (!found.reachable) {
    const message =
      `Tests run on SQLite alone, as there is no PostgreSQL server at ${found.reason}. ` +
      "Set TEST_DATABASE_URL to the address of a database whose user may make others.";
    if (process.env.CI === "true") throw new Error(message);
    console.log(message);
    project.provide("postgres", null);
    return async () => {};
  }
  const { url } = found;
  const prefix = `page_service_test_${process.pid}_`;
  const dropDatabases = async (): Promise<void> => {
    const pattern = prefix.replaceAll("_", "\\_");
    const left = await query<{ datname: string }>(
      url,
      `SELECT datname FROM pg_database WHERE datname LIKE '${pattern}%'`,
    );
    for (const { datname } of left) await query(url, `DROP DATABASE IF EXISTS "${datname}" WITH (FORCE)`);
  };
  const template = `${prefix}template`;
  // An interrupted run whose process had the same id can have left some.
  await dropDatabases();
  try {
    await migratePostgres(await createDatabase(url, template), {});
  } catch (error) {
    await dropDatabases();
    throw error;
  }
  project.provide("postgres", { url, prefix, template });
  return dropDatabases;
}
