import path from "node:path";
import type { Kysely } from "kysely";
import { StorageUnavailableError } from "../../errors.js";
import { openPostgres, openSqlite } from "../engine/dialect.js";
import { isPostgresUrl } from "../engine/location.js";
import { openPoolWithoutTimeouts } from "../engine/postgres.js";
import { explainOpenError } from "../engine/postgres-errors.js";
import { PostgresTransaction } from "../engine/postgres-transaction.js";
import { createDatabaseFile } from "../engine/database-file.js";
import { SqliteConnection } from "../engine/sqlite.js";

/** Transaction on a connection of its own. */
export interface TransferTransaction {
  readonly db: Kysely<unknown>;
  /** Commits and ends the transaction. */
  commit(): Promise<void>;
  /** Rolls back if nothing was committed, and closes the connection. */
  close(): Promise<void>;
}

/** Begins a read-only transaction on a snapshot of an existing database. Throws a StorageUnavailableError. */
export async function beginReading(location: string): Promise<TransferTransaction> {
  if (isPostgresUrl(location)) {
    return beginPostgres(location, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  }
  return beginSqlite(location, "PRAGMA query_only = ON; BEGIN");
}

/** Begins a transaction that writes. Creates a missing SQLite file. Throws a LockTimeoutError or StorageUnavailableError. */
export async function beginWriting(location: string): Promise<TransferTransaction> {
  if (isPostgresUrl(location)) return beginPostgres(location, "BEGIN");
  const file = path.resolve(location);
  createDatabaseFile(file);
  return beginSqlite(file, "BEGIN IMMEDIATE");
}

/** Runs `use` in a transaction, and commits the transaction unless `use` throws. */
export async function runTransfer<Result>(
  beginning: Promise<TransferTransaction>,
  use: (db: Kysely<unknown>) => Promise<Result>,
): Promise<Result> {
  const transaction = await beginning;
  try {
    const result = await use(transaction.db);
    await transaction.commit();
    return result;
  } finally {
    await transaction.close();
  }
}

async function beginPostgres(url: string, statement: string): Promise<TransferTransaction> {
  const pool = openPoolWithoutTimeouts(url, { max: 1 });
  const transaction = await PostgresTransaction.begin(pool, statement).catch(async (error: unknown) => {
    await pool.end();
    throw error instanceof StorageUnavailableError ? explainOpenError(error.cause) : error;
  });
  return {
    db: openPostgres(transaction),
    commit: () => transaction.commit(),
    async close() {
      await transaction.rollBack();
      await pool.end();
    },
  };
}

function beginSqlite(file: string, statement: string): TransferTransaction {
  const connection = new SqliteConnection(file);
  try {
    connection.exec(statement);
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    db: openSqlite(connection),
    commit: () => connection.commit(),
    async close() {
      try {
        if (connection.inTransaction) connection.exec("ROLLBACK");
      } finally {
        connection.close();
      }
    },
  };
}
