import { isPostgresUrl } from "./location.js";
import { openPostgresStore } from "./postgres-store.js";
import { openSqliteStore } from "./sqlite-store.js";
import type { OpenOptions, Store } from "./store.js";

/**
 * Opens the database, creates a SQLite file that does not exist, and brings its tables up to date.
 *
 * @param location the path of a SQLite file, ":memory:", or the URL of an existing PostgreSQL database:
 *   postgres://USER:PASSWORD@HOST:PORT/DATABASE
 * @throws NoTablesError without tables if `createTables` is false; LockTimeoutError when another process holds the lock for too
 *   long; StorageUnavailableError when the database cannot be opened or was written by a newer version of the program
 */
export async function openStore(location: string, options: OpenOptions = {}): Promise<Store> {
  return isPostgresUrl(location) ? openPostgresStore(location, options) : openSqliteStore(location, options);
}
