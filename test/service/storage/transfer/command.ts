import path from "node:path";
import { expect } from "vitest";
import { isPostgresUrl } from "../../../../src/storage/engine/postgres-store.js";
import { type Ended, run, createTemporaryFolder } from "../../command.js";

/** Runs `page-service` on a database. */
export function runOn(location: string, args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return run(args, { ...configuration(location), ...env });
}

/** Environment variables for a database, whose file has the name that the service uses. */
export function configuration(location: string): Record<string, string> {
  return isPostgresUrl(location) ? { DATABASE_URL: location } : { DATA_DIR: path.dirname(location) };
}

/** The location of a SQLite database as the service makes it. */
export function newSqliteFile(): string {
  return path.join(createTemporaryFolder(), "page-service.db");
}

/** The file that a database is exported to. */
export async function exportOf(location: string, args: string[] = []): Promise<string> {
  const { code, stdout, stderr } = await runOn(location, ["export", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** Imports a file, and gives what the command says. */
export async function importInto(location: string, file: string): Promise<string> {
  const { code, stdout, stderr } = await runOn(location, ["import", "--input", file]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}
