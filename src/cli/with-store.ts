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

/** Does the same as withStore, and first creates a SQLite database that does not exist, and missing tables. */
export async function withNewStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  return useStore(await openStore(readConfig(process.env).database), work);
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
  if (!isPostgresUrl(database) && !isFile(database)) {
    throw new UserError(
      `There is no database at ${database}. Set DATA_DIR or DATABASE_URL to the value that the service uses.`,
    );
  }
  return database;
}

/** Whether a file exists. Throws a UserError if that is unknown, as in a folder that this user cannot open. */
function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw new UserError(
      `Cannot open the database file ${file}: ${getSystemErrorReason(error)}. Set DATA_DIR to the folder that the service uses, and run the command as the same user.`,
    );
  }
}
