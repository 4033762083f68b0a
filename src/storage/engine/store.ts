import type { Slot } from "../../queues/queue-slot.js";
import type { ScanOptions } from "./scans.js";
import type { Db, StorageScope } from "../tables.js";
import type { WrittenBytes } from "./written-bytes.js";

/** Load of a store. */
export interface StoreStats {
  /** Writes that wait to begin. */
  readonly writesWaiting: number;
  /** Connections to PostgreSQL. Empty for SQLite, which has a fixed number. */
  readonly connections: readonly {
    readonly use: "read" | "scan" | "write";
    readonly open: number;
    /** Open connections that are not in use. */
    readonly idle: number;
    /** Queries that wait for a connection. */
    readonly waiting: number;
  }[];
  /** Free space on the disk of a SQLite file; undefined for other databases. */
  readonly diskFreeBytes?: number | undefined;
}

/** Options of openStore. */
export interface OpenOptions {
  /** Receives the number of writes of each commit. */
  readonly onCommit?: ((writes: number) => void) | undefined;
  /** Whether a database without tables gets them. True by default. */
  readonly createTables?: boolean | undefined;
}

/** The database of the service. */
export interface Store {
  /** Connection for reads. It sees committed writes only. */
  readonly read: Db;

  /** Upper bound of the bytes that this process has added to each workspace. Service-wide writes do not count. */
  readonly writtenBytes: WrittenBytes;

  /**
   * Returns a connection for the SELECTs of one request that can scan many rows. On SQLite they run outside of the
   * event loop, see SQLITE_SCAN_QUEUE; on PostgreSQL see SCAN_CONNECTION_QUEUE. Workspaces take turns. A SELECT that waits for
   * longer than SCAN_WAIT_MS or takes longer than SCAN_TIMEOUT_MS throws BusyError.
   */
  openScan(workspaceId: string, options?: ScanOptions): Db;

  /** Creates the slot of a request among the read connections. On SQLite reads do not wait for them. */
  createReadSlot(workspaceId: string): Slot;

  /** Whether `read` blocks the event loop during a query, as on SQLite. */
  readonly readsInEventLoop: boolean;

  /**
   * Runs `callback` in a transaction, and resolves when its commit is durable. Waiting writes are committed together. A
   * write that throws leaves no changes. Writes of one workspace run one after another in all processes.
   *
   * `callback` reads and writes only rows of the workspace, through its scope, and awaits nothing else, as other writes wait
   * for it. It fails when one of its queries fails. It can run several times: after a conflict with another
   * transaction, or because another write failed that would have been committed together with it.
   *
   * @throws errors of `callback`; LockTimeoutError when another process holds the lock for too long; StorageUnavailableError when
   *   the write cannot be made durable, or the store is closed
   */
  write<T>(workspaceId: string, callback: (scope: StorageScope) => Promise<T>): Promise<T>;

  /**
   * Writes accounts, and data that must be unique across them or across workspaces, such as names and members of workspaces.
   * Service-wide writes run one after another. On PostgreSQL, writes of workspaces can run at the same time. Changes the
   * generations of all workspaces, see `getGeneration`.
   */
  writeServiceWide<T>(callback: (tx: Db) => Promise<T>): Promise<T>;

  /** Writes data that no cached response depends on, such as counts, like `writeServiceWide`, but keeps the generations. */
  writeWithoutInvalidation<T>(callback: (tx: Db) => Promise<T>): Promise<T>;

  /**
   * Returns a number that changes with each write to a workspace. While it is the same, API responses are the same. Commits
   * of other processes change it within a turn of the event loop. Returns undefined when only a read can detect changes: on
   * PostgreSQL, and during a COMMIT on SQLite.
   */
  getGeneration(workspaceId: string): number | undefined;

  /** Returns the current load. */
  stats(): StoreStats;

  /** Frees memory that SQLite keeps between requests, such as its page cache, which only makes later reads faster. */
  releaseMemory(): void;

  /** Checks the database for /readyz; rejects when it cannot be read. */
  ping(): Promise<void>;

  /** Finishes the accepted writes and closes the database. */
  close(): Promise<void>;
}
