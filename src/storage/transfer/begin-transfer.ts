import { existsSync } from "node:fs";
import path from "node:path";
import type { Kysely } from "kysely";
import { UserError } from "../../errors.js";
import { openPostgres, openSqlite, type Connection } from "../engine/dialect.js";
import { isPostgresUrl } from "../engine/location.js";
import { SingleConnection } from "../engine/postgres.js";
import { createDatabaseFile, SqliteConnection } from "../engine/sqlite.js";

interface DedicatedConnection extends Connection {
  exec(sql: string): void | Promise<void>;
  close(): void | Promise<void>;
}

/** Transaction on a dedicated connection. */
export interface TransferTransaction {
  readonly db: Kysely<unknown>;
  /** Commits and ends the transaction. */
  commit(): Promise<void>;
  /** Rolls back if nothing was committed, and closes the connection. */
  close(): Promise<void>;
}

/**
 * Begins a read-only transaction on a snapshot, which SQLite takes with the first read. Throws a UserError if there is no
 * database file, or a StorageUnavailableError.
 */
export async function beginReading(location: string): Promise<TransferTransaction> {
  if (isPostgresUrl(location)) {
    return begin(await SingleConnection.open(location), "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  }
  const file = path.resolve(location);
  if (!existsSync(file)) {
    throw new UserError(`There is no database at ${file}. Set DATA_DIR to the folder of the database.`);
  }
  return begin(new SqliteConnection(file), "PRAGMA query_only = ON; BEGIN");
}

/** Begins a transaction that writes. Creates a missing SQLite file. Throws a ConflictError or StorageUnavailableError. */
export async function beginWriting(location: string): Promise<TransferTransaction> {
  if (isPostgresUrl(location)) return begin(await SingleConnection.open(location), "BEGIN");
  const file = path.resolve(location);
  createDatabaseFile(file);
  return begin(new SqliteConnection(file), "BEGIN IMMEDIATE");
}

async function begin(connection: DedicatedConnection, statement: string): Promise<TransferTransaction> {
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
    async commit() {
      await connection.exec("COMMIT");
      committed = true;
    },
    async close() {
      try {
        if (!committed) await connection.exec("ROLLBACK");
      } catch {
        // A lost connection has rolled back the transaction.
      }
      await connection.close();
    },
  };
}
