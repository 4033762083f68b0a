import path from "node:path";
import { expect } from "vitest";
import { hasPostgres, newEmptyPostgresDatabase } from "../../../support/stores.js";
import { createEnvironment } from "../../command.js";
import { type Output, runInProcess } from "../../run-in-process.js";
import { createTemporaryFolder } from "../../../support/temporary-folder.js";

/** Runs `page-service` on a database. */
export function runOn(location: string, args: string[]): Promise<Output> {
  return runInProcess(args, createEnvironment(location));
}

/** Creates the location of a new SQLite database in the format of the service. */
export function createSqliteLocation(): string {
  return path.join(createTemporaryFolder(), "page-service.db");
}

/** The kinds of databases that commands can use, with functions that return the location of a new one without tables. */
export const kinds: [string, () => Promise<string>][] = [["SQLite", async () => createSqliteLocation()]];
if (hasPostgres) kinds.push(["PostgreSQL", newEmptyPostgresDatabase]);

/** Exports a database and returns the export. */
export async function exportDatabase(location: string, args: string[] = []): Promise<string> {
  const { code, stdout, stderr } = await runOn(location, ["export", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** Imports a file, and returns the output of the command. */
export async function importInto(location: string, file: string): Promise<string> {
  const { code, stdout, stderr } = await runOn(location, ["import", "--input", file]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}
