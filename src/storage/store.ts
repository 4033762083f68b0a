import type { Kysely } from "kysely";
import { isPostgresUrl, openPostgresStore } from "./postgres-store.js";
import { openSqliteStore } from "./sqlite-store.js";
import type { Tables } from "./tables.js";

/** What reads go through that need not see what a transaction has written. */
export type Reads = Pick<Store, "read" | "scan">;

/** What the store is busy with. */
export interface StoreStats {
  /** Writes that wait to be committed. */
  readonly writesWaiting: number;
  /** To PostgreSQL; none to SQLite, which has always the same. */
  readonly connections: readonly {
    readonly use: "read" | "write";
    readonly open: number;
    /** Of those, the ones that nobody uses now. */
    readonly idle: number;
    /** Who waits for one. */
    readonly waiting: number;
  }[];
}

/** The database of the service. */
export interface Store {
  /** For reads. Never sees a write that is not committed. */
  readonly read: Kysely<Tables>;

  /** As `read`, for a SELECT that may look at very many rows: nothing else waits for its end. */
  readonly scan: Kysely<Tables>;

  /**
   * Runs `job` in a transaction and resolves after its commit is durable. Jobs that wait together are
   * committed together, each in a savepoint of its own, so one that throws is undone alone.
   *
   * The job reads and writes through its `tx` only, and waits for nothing else: other jobs wait for it. A job of which
   * a query failed fails with it. It is run again when the database asks for that.
   *
   * @param workspaceId What the job reads and writes is of this workspace: jobs of one workspace run one after another,
   *   in whichever process. Left out for what is of the whole service; null where that is nothing which `stateOf` speaks
   *   of: counts, times of last use, sessions.
   * @throws What the job throws; ConflictError when another process holds the lock for too long;
   *   StorageUnavailableError when the write cannot be made durable, or the store is closed.
   */
  write<T>(job: (tx: Kysely<Tables>) => Promise<T>, workspaceId?: string | null): Promise<T>;

  /**
   * The number of the state that a workspace is in: as long as it is the same, so is all that the API shows of the
   * workspace. Another process's commit shows within a turn of the event loop.
   *
   * @returns undefined when the database cannot tell for less than a read costs, as PostgreSQL cannot.
   */
  stateOf(workspaceId: string): number | undefined;

  /** What it is busy with now. */
  stats(): StoreStats;

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
 * @param onCommit is told how many writes were committed together, each time
 * @throws ConflictError when another process holds the lock for too long; StorageUnavailableError when the
 *   database cannot be opened or was written by a newer version of the program.
 */
export async function openStore(location: string, onCommit?: (writes: number) => void): Promise<Store> {
  return isPostgresUrl(location)
    ? openPostgresStore(location, onCommit)
    : openSqliteStore(location, onCommit);
}
