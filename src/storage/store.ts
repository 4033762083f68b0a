import type { Kysely } from "kysely";
import { isPostgresUrl, openPostgresStore } from "./postgres-store.js";
import { openSqliteStore } from "./sqlite-store.js";
import type { Tables } from "./tables.js";

/** The database of the service. */
export interface Store {
  /** For reads. Never sees a write that is not committed. */
  readonly read: Kysely<Tables>;

  /**
   * Runs `job` in a transaction and resolves after its commit is durable. Jobs that wait together are
   * committed together, each in a savepoint of its own, so one that throws is undone alone.
   *
   * The job reads and writes through its `tx` only, and waits for nothing else: other jobs wait for it. A job of which
   * a query failed fails with it. It is run again when the database asks for that.
   *
   * @param workspaceId What the job reads and writes is of this workspace: jobs of one workspace run one after another,
   *   in whichever process. Left out for what is of the whole service.
   * @throws What the job throws; ConflictError when another process holds the lock for too long;
   *   StorageUnavailableError when the write cannot be made durable, or the store is closed.
   */
  write<T>(job: (tx: Kysely<Tables>) => Promise<T>, workspaceId?: string): Promise<T>;

  /**
   * The number of the state that a workspace is in: as long as it is the same, so is all that can be read of the
   * workspace. Another process's commit shows within a turn of the event loop.
   *
   * @returns undefined when the database cannot tell for less than a read costs, as PostgreSQL cannot.
   */
  stateOf(workspaceId: string): number | undefined;

  /** Cheap probe for /readyz; rejects when the database cannot be read. */
  ping(): Promise<void>;

  /** Finishes the jobs that were accepted, and closes the database. */
  close(): Promise<void>;
}

/**
 * Opens the database, makes it when it does not exist, and brings its tables up to date.
 *
 * @param location The path of a SQLite file, ":memory:", or the address of a PostgreSQL database, which must exist:
 *   postgres://USER:PASSWORD@HOST:PORT/DATABASE.
 * @throws ConflictError when another process holds the lock for too long; StorageUnavailableError when the
 *   database cannot be opened or was written by a newer version of the program.
 */
export async function openStore(location: string): Promise<Store> {
  return isPostgresUrl(location) ? openPostgresStore(location) : openSqliteStore(location);
}
