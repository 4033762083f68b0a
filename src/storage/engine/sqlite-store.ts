import { statfsSync } from "node:fs";
import path from "node:path";
import type { CompiledQuery } from "kysely";
import { LONG_SQLITE_WRITE_MS, READ_CACHE_KIB } from "../../budgets.js";
import { CheckpointScheduler } from "./checkpoints.js";
import { openSqlite, requireRead, type Connection } from "./dialect.js";
import { StorageUnavailableError } from "../../errors.js";
import { migrateSqlite } from "./migrations/index.js";
import { UNLIMITED_SLOT } from "../../queues/queue-slot.js";
import { SqliteScanner } from "./sqlite-scanner.js";
import { createDatabaseFile, createFileCheck } from "./database-file.js";
import { SqliteConnection } from "./sqlite.js";
import { beginTransaction, LOCK_POLL_INTERVAL_MS } from "./sqlite-transaction.js";
import type { OpenOptions, Store } from "./store.js";
import type { Tables } from "../tables.js";
import { WorkspaceGenerations } from "./workspace-generations.js";
import { WriteQueue } from "./write-queue.js";
import { SERVICE_WIDE, WrittenBytes } from "./written-bytes.js";

/** Opens a SQLite database, see openStore. */
export async function openSqliteStore(location: string, options: OpenOptions): Promise<Store> {
  const inMemory = location === ":memory:";
  // Absolute, because libsql interprets some relative paths as network addresses.
  const file = inMemory ? location : path.resolve(location);
  if (!inMemory) createDatabaseFile(file);
  const requireFile = inMemory ? () => {} : createFileCheck(file);

  const writer = new SqliteConnection(file);
  try {
    await migrateSqlite(writer, options);
    // From here on `begin` waits for locks, without blocking the event loop.
    writer.pragma("busy_timeout = 0");
    const writtenBytes = new WrittenBytes();
    const checkpoints = inMemory ? undefined : new CheckpointScheduler(file);
    const queue = new WriteQueue({
      async begin() {
        requireFile();
        if (checkpoints) writer.setCommitCheckpoint(await checkpoints.mayCommitCheckpoint());
        return beginTransaction(writer);
      },
      longWriteMs: LONG_SQLITE_WRITE_MS,
      longTenants: new Map(),
      pauseMs: inMemory ? 0 : LOCK_POLL_INTERVAL_MS,
      openKysely: openSqlite<Tables>,
      onCommit(writes) {
        checkpoints?.schedule();
        options.onCommit?.(writes);
      },
      onWrite: (workspaceId, bytes) => writtenBytes.add(workspaceId, bytes),
    });
    // A database in memory has one connection.
    const reader = inMemory ? writer : openReader(file);
    const read = openSqlite<Tables>(
      createReadConnection(reader, () => (inMemory ? queue.groupEnd : undefined)),
    );
    const scanner = checkpoints && new SqliteScanner(file, () => checkpoints.shortenLog());
    // The writer's connection, because `data_version` ignores commits of its own connection.
    const generations = new WorkspaceGenerations(() => writer.readDataVersion());
    return {
      read,
      writtenBytes,
      readsInEventLoop: true,
      createReadSlot: () => UNLIMITED_SLOT,
      openScan: (workspaceId, options) =>
        scanner === undefined ? read : openSqlite<Tables>(scanner.connect(workspaceId, options)),
      // One queue for all workspaces, because SQLite has one writer. Generations also change after an error, because a commit
      // that failed can still be durable.
      write: (workspaceId, callback) =>
        queue
          .write((db) => callback({ db, workspaceId }), workspaceId)
          .finally(() => generations.recordChange(workspaceId)),
      writeServiceWide: (callback) =>
        queue.write(callback, SERVICE_WIDE).finally(() => generations.recordServiceWideChange()),
      writeWithoutInvalidation: (callback) => queue.write(callback, SERVICE_WIDE),
      // During a COMMIT, reads may see changes of a workspace before its generation changes.
      getGeneration: (workspaceId) => (writer.committing ? undefined : generations.get(workspaceId)),
      // Only the queue waits for the connections.
      stats: () => ({
        writesWaiting: queue.waiting,
        connections: [],
        diskFreeBytes: inMemory ? undefined : readFreeBytes(path.dirname(file)),
      }),
      releaseMemory() {
        for (const connection of new Set([reader, writer])) connection.releaseMemory();
        scanner?.releaseMemory();
      },
      async ping() {
        requireFile();
        await read.selectFrom("workspaces").select("id").limit(1).execute();
      },
      async close() {
        await queue.close();
        await scanner?.close();
        await checkpoints?.close();
        reader.close();
        // In memory the reader is also the writer. On a second call both are closed already.
        if (!writer.closed && !inMemory) truncateLog(writer);
        writer.close();
      },
    };
  } catch (error) {
    writer.close();
    throw error;
  }
}

function openReader(file: string): SqliteConnection {
  const reader = new SqliteConnection(file);
  // Queries read pages from all over the file. With SQLite's default of 2 MB most of them would be read again each time.
  reader.pragma(`cache_size = -${READ_CACHE_KIB}`);
  return reader;
}

/** Copies the write-ahead log into the database and empties it. When the disk is full, the next start does this. */
function truncateLog(connection: SqliteConnection): void {
  try {
    connection.pragma("wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (!(error instanceof StorageUnavailableError)) throw error;
  }
}

/** Reads the bytes that this process can still write to the disk of a folder; NaN when the folder is gone. */
function readFreeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return NaN;
  }
}

/** Creates a connection for SELECTs. In a database in memory they wait for the end of the transaction, which they would see. */
function createReadConnection(connection: SqliteConnection, getGroupEnd: () => Promise<void> | undefined) {
  const read: Connection = {
    executeQuery<Row>(query: CompiledQuery) {
      requireRead(query);
      return getGroupEnd()?.then(() => read.executeQuery<Row>(query)) ?? connection.executeQuery<Row>(query);
    },
  };
  return read;
}
