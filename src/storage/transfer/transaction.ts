import { existsSync } from "node:fs";
import path from "node:path";
import type { DatabaseConnection, Kysely } from "kysely";
import { openPostgres, openSqlite } from "../dialect.js";
import { isPostgresUrl } from "../postgres-store.js";
import { SingleConnection } from "../postgres.js";
import { createDatabaseFile, SqliteConnection } from "../sqlite.js";
import { TransferError } from "./format.js";

/** A connection of its own to either kind of database. */
interface Connection extends DatabaseConnection {
  exec(sql: string): void | Promise<void>;
  close(): void | Promise<void>;
}

/** A transaction on a connection of its own. */
export interface WholeTransaction {
  readonly db: Kysely<unknown>;
  /** Runs SQL without parameters and results, such as SAVEPOINT. */
  exec(sql: string): void | Promise<void>;
  /** Ends it, and keeps what was done. */
  commit(): Promise<void>;
  /** Ends it, and undoes what was not committed. Never throws. */
  close(): Promise<void>;
}

/**
 * Begins to read a database as it is now: what is written meanwhile is not seen, and nobody waits.
 *
 * @param location see openStore
 * @throws TransferError when there is no such database; StorageUnavailableError
 */
export async function beginReading(location: string): Promise<WholeTransaction> {
  if (isPostgresUrl(location)) {
    return begin(await SingleConnection.open(location), "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  }
  const file = path.resolve(location);
  if (!existsSync(file)) throw new TransferError(`There is no database at ${file}.`);
  const connection = new SqliteConnection(file);
  connection.pragma("query_only = ON");
  return begin(connection, "BEGIN");
}

/**
 * Begins to fill a database, which is made when it is a SQLite file that does not exist.
 *
 * @param location see openStore
 * @throws ConflictError when another process holds the lock for too long; StorageUnavailableError
 */
export async function beginFilling(location: string): Promise<WholeTransaction> {
  if (isPostgresUrl(location)) return begin(await SingleConnection.open(location), "BEGIN");
  const file = path.resolve(location);
  createDatabaseFile(file);
  return begin(new SqliteConnection(file), "BEGIN IMMEDIATE");
}

async function begin(connection: Connection, statement: string): Promise<WholeTransaction> {
  const isSqlite = connection instanceof SqliteConnection;
  const db: Kysely<unknown> = isSqlite ? openSqlite(connection) : openPostgres(connection);
  let committed = false;
  try {
    await connection.exec(statement);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    db,
    exec: (sql) => connection.exec(sql),
    async commit() {
      await connection.exec("COMMIT");
      committed = true;
    },
    async close() {
      try {
        if (!committed) await connection.exec("ROLLBACK");
      } catch {
        // It is gone already; what it did went with it.
      }
      await connection.close();
    },
  };
}
