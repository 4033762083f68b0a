import type { TestProject } from "vitest/node";
import { findPostgres, query } from "./postgres.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The PostgreSQL server for tests and the prefix of their databases; null without a server. */
    postgres: { url: string; prefix: string } | null;
  }
}

/**
 * Provides the PostgreSQL server to tests, and drops their databases after the run. Without a server it prints what is
 * skipped; with CI=true that is an error.
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
  project.provide("postgres", { url, prefix });
  return async () => {
    const pattern = prefix.replaceAll("_", "\\_");
    const left = await query<{ datname: string }>(
      url,
      `SELECT datname FROM pg_database WHERE datname LIKE '${pattern}%'`,
    );
    for (const { datname } of left) await query(url, `DROP DATABASE IF EXISTS "${datname}" WITH (FORCE)`);
  };
}
