import { statSync } from "node:fs";
import { readConfig } from "../config.js";
import { isPostgresUrl } from "../storage/engine/location.js";
import { openStore } from "../storage/engine/open-store.js";
import type { Store } from "../storage/engine/store.js";
import { getSystemErrorReason, UserError } from "../errors.js";

/** Opens the configured database, runs `work` with it, and closes it. Throws a UserError if it does not exist or has no tables. */
export async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  return useStore(await openStore(requireDatabaseLocation(), { createTables: false }), work);
}

/**
 * Does the same as withStore, and first creates a SQLite database that does not exist, and missing tables. Reports a new SQLite
 * database on standard error, because DATA_DIR may be wrong, except with `--json`, for programs.
 */
export async function withNewStore<T>(
  work: (store: Store) => Promise<T>,
  { json }: { readonly json?: boolean },
): Promise<T> {
  const { database } = readConfig(process.env);
  const isNew = isMissing(database);
  // A trial in memory, so that an invalid request leaves no empty database behind.
  if (isNew) await useStore(await openStore(":memory:"), work);
  const result = await useStore(await openStore(database), work);
  if (isNew && !json) {
    console.error(
      `Created the database ${database}. If the service has another one, set DATA_DIR or DATABASE_URL to the value that it uses.`,
    );
  }
  return result;
}

async function useStore<T>(store: Store, work: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Returns the location of the database. Throws a UserError when its file does not exist, as with a wrong DATA_DIR. */
export function requireDatabaseLocation(): string {
  const { database } = readConfig(process.env);
  if (isMissing(database)) {
    throw new UserError(
      `There is no database at ${database}. Set DATA_DIR or DATABASE_URL to the value that the service uses.`,
    );
  }
  return database;
}

/** Whether the file of a SQLite database does not exist. Throws a UserError if that is unknown, as in a folder that this user cannot open. */
function isMissing(database: string): boolean {
  if (isPostgresUrl(database)) return false;
  try {
    return statSync(database, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    throw new UserError(
      `Cannot open the database file ${database}: ${getSystemErrorReason(error)}. Set DATA_DIR to the folder that the service uses, and run the command as the same user.`,
    );
  }
}
