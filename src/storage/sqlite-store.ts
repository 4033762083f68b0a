import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  RawNode,
  SelectQueryNode,
  type CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  type QueryResult,
} from "kysely";
import { openSqlite } from "./dialect.js";
import { ConflictError } from "./errors.js";
import { migrateSqlite } from "./migrations/index.js";
import { hasThread, ScanConnection } from "./scans.js";
import { createDatabaseFile, READ_CACHE_KIB, SqliteConnection } from "./sqlite.js";
import type { Tables } from "./tables.js";
import type { Transaction } from "./transaction.js";
import { WorkspaceStates } from "./workspace-states.js";
import { WriteQueue } from "./write-queue.js";

/** How long a group of writes waits for the lock of another process, in milliseconds. */
const LOCK_TIMEOUT = 5000;

/** See openStore. */
export async function openSqliteStore(location: string, onCommit?: (writes: number) => void) {
  const inMemory = location === ":memory:";
  // Absolute, because libsql takes some texts for network addresses.
  const file = inMemory ? location : path.resolve(location);
  if (!inMemory) createDatabaseFile(file);

  const writer = new SqliteConnection(file);
  try {
    await migrateSqlite(writer);
    // From here on the queue waits for locks, without blocking the event loop.
    writer.pragma("busy_timeout = 0");
    const queue = new WriteQueue({
      begin: (since) => begin(writer, since),
      openKysely: openSqlite<Tables>,
      committed: onCommit,
    });
    // A database in memory cannot be shared between connections.
    const reader = inMemory ? writer : new SqliteConnection(file);
    if (!inMemory) reader.pragma("query_only = ON");
    // Queries read pages from all over the file; with SQLite's own 2 MB most of them are copied anew each time.
    if (!inMemory) reader.pragma(`cache_size = -${READ_CACHE_KIB}`);
    const read = openSqlite<Tables>(
      new ReadConnection(reader, () => (inMemory ? queue.groupEnd : undefined)),
    );
    const scans = inMemory || !hasThread ? undefined : new ScanConnection(file);
    // Of this connection the number tells nothing of its own commits.
    const states = new WorkspaceStates(() => writer.dataVersion());
    return {
      read,
      scan: scans === undefined ? read : openSqlite<Tables>(scans),
      // Whatever they are about: SQLite lets one write at a time.
      async write<T>(job: (tx: Kysely<Tables>) => Promise<T>, workspaceId?: string | null): Promise<T> {
        try {
          return await queue.write(job);
        } finally {
          // A commit that failed may yet have come to pass.
          if (workspaceId !== null) states.changed(workspaceId);
        }
      },
      stateOf: (workspaceId: string) => states.stateOf(workspaceId),
      // Nobody waits for its connections but in the queue.
      stats: () => ({ writesWaiting: queue.waiting, connections: [] }),
      async ping() {
        await read.selectFrom("workspaces").select("id").limit(1).execute();
      },
      async close() {
        await queue.close();
        await scans?.close();
        reader.close();
        // Closed already when the store is in memory, or on a second call.
        if (!writer.closed && !inMemory) writer.pragma("wal_checkpoint(TRUNCATE)");
        writer.close();
      },
    };
  } catch (error) {
    writer.close();
    throw error;
  }
}

/**
 * Waits for another process's lock without blocking the event loop, as SQLite's own timeout would. What jobs have
 * waited behind an earlier group counts: it was the same lock.
 */
async function begin(connection: SqliteConnection, since: number): Promise<Transaction> {
  const deadline = since + LOCK_TIMEOUT;
  for (;;) {
    try {
      connection.exec("BEGIN IMMEDIATE");
      connection.exec("SAVEPOINT job");
      return new SqliteTransaction(connection);
    } catch (error) {
      if (!(error instanceof ConflictError) || performance.now() > deadline) throw error;
      // At random, or two processes in step would keep meeting each other.
      await sleep(1 + Math.random() * 9);
    }
  }
}

class SqliteTransaction implements Transaction {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  get open(): boolean {
    return this.#connection.inTransaction;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#connection.executeQuery(query);
  }

  streamQuery(): AsyncIterableIterator<never> {
    return this.#connection.streamQuery();
  }

  keepJob(): void {
    this.#connection.exec("RELEASE job; SAVEPOINT job");
  }

  undoJob(): void {
    this.#connection.exec("ROLLBACK TO job");
  }

  commit(): void {
    this.#connection.exec("COMMIT");
  }

  rollBack(): void {
    try {
      if (this.open) this.#connection.exec("ROLLBACK");
    } catch {
      // The next group's BEGIN fails then, and its jobs are told.
    }
  }
}

/** Answers SELECTs, and lets them wait while there is something that they must not see. */
class ReadConnection implements DatabaseConnection {
  readonly #connection: SqliteConnection;
  readonly #uncommitted: () => Promise<void> | undefined;

  /** @param uncommitted Settles when uncommitted writes are gone; undefined when there are none. */
  constructor(connection: SqliteConnection, uncommitted: () => Promise<void> | undefined) {
    this.#connection = connection;
    this.#uncommitted = uncommitted;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!SelectQueryNode.is(query.query) && !RawNode.is(query.query)) {
      return Promise.reject(new Error("store.read is for reads: use store.write()."));
    }
    const wait = this.#uncommitted();
    if (wait === undefined) return this.#connection.executeQuery<Row>(query);
    return wait.then(() => this.executeQuery<Row>(query));
  }

  streamQuery(): AsyncIterableIterator<never> {
    return this.#connection.streamQuery();
  }
}
