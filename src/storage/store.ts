import path from "node:path";
import {
  RawNode,
  SelectQueryNode,
  type CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  type QueryResult,
} from "kysely";
import { openKysely } from "./dialect.js";
import { migrate } from "./migrations/index.js";
import { createDatabaseFile, SqliteConnection } from "./sqlite.js";
import type { Tables } from "./tables.js";
import { WriteQueue } from "./write-queue.js";

/** The database of the service. */
export interface Store {
  /** For reads. Never sees a write that is not committed. */
  readonly read: Kysely<Tables>;

  /**
   * Runs `job` in a transaction and resolves after its commit is durable. Jobs that wait together are
   * committed together, each in a savepoint of its own, so one that throws is undone alone.
   *
   * The job reads and writes through its `tx` only, and waits for nothing else: other jobs wait for it.
   *
   * @throws What the job throws; ConflictError when another process holds the lock for too long;
   *   StorageUnavailableError when the write cannot be made durable, or the store is closed.
   */
  write<T>(job: (tx: Kysely<Tables>) => Promise<T>): Promise<T>;

  /** Cheap probe for /readyz; rejects when the database cannot be read. */
  ping(): Promise<void>;

  /** Finishes the jobs that were accepted, moves the log into the database file, and closes it. */
  close(): Promise<void>;
}

/**
 * Opens the database, makes it when it does not exist, and brings its tables up to date.
 *
 * @param location The path of a SQLite file, or ":memory:".
 * @throws ConflictError when another process holds the lock for too long; StorageUnavailableError when the
 *   file cannot be opened or was written by a newer version of the program.
 */
export async function openStore(location: string): Promise<Store> {
  const inMemory = location === ":memory:";
  // Absolute, because libsql takes some texts for network addresses.
  const file = inMemory ? location : path.resolve(location);
  if (!inMemory) createDatabaseFile(file);

  const writer = new SqliteConnection(file);
  try {
    await migrate(writer);
    // From here on the queue waits for locks, without blocking the event loop.
    writer.pragma("busy_timeout = 0");
    const queue = new WriteQueue(writer);
    // A database in memory cannot be shared between connections.
    const reader = inMemory ? writer : new SqliteConnection(file);
    if (!inMemory) reader.pragma("query_only = ON");
    const read = openKysely<Tables>(
      new ReadConnection(reader, () => (inMemory ? queue.groupEnd : undefined)),
    );
    return {
      read,
      write: (job) => queue.write(job),
      async ping() {
        await read.selectFrom("workspaces").select("id").limit(1).execute();
      },
      async close() {
        await queue.close();
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
