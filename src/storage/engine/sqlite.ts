import { closeSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import Database from "libsql";
import {
  SelectQueryNode,
  ValueNode,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
} from "kysely";
import { LOCK_TIMEOUT_MS } from "../../budgets.js";
import { ConflictError, StorageUnavailableError } from "./errors.js";
import { checkParameters } from "./parameters.js";
import { toStorageError } from "./sqlite-errors.js";

/**
 * Pages of 4 KiB in the write-ahead log after which a COMMIT copies those into the database that no checkpoint outside of
 * the event loop has copied yet. With SQLite's own 1,000 commits took twice the time.
 */
const CHECKPOINT_PAGES = 10_000;

/** Memory of a connection for parts of the file that were read, taken as they are read. */
export const READ_CACHE_KIB = 32_768;

/** Far more than the service repeats; the bound is for statements with lists of varying length. */
const MAX_STATEMENTS = 256;

/** A prepared statement, with what libsql takes a native call to tell. */
interface Prepared {
  readonly statement: Database.Statement;
  readonly reader: boolean;
  /** The names of the result's columns; empty unless the statement gives rows as arrays. */
  readonly columns: readonly string[];
}

/**
 * One connection to a SQLite database, for Kysely and for our own transactions. Everything it does is
 * synchronous underneath.
 */
export class SqliteConnection implements DatabaseConnection {
  readonly #database: Database.Database;
  /** By SQL text. Those for a single row are apart, as they give it as an array. */
  readonly #statements = new Map<string, Prepared>();
  readonly #singleRowStatements = new Map<string, Prepared>();
  #versionStatement: Database.Statement | undefined;
  #closed = false;

  /**
   * Opens the database and applies the settings that the service relies on.
   *
   * @param location An absolute path, or ":memory:".
   * @throws ConflictError or StorageUnavailableError.
   */
  constructor(location: string) {
    this.#database = open(location);
    try {
      this.pragma(`busy_timeout = ${LOCK_TIMEOUT_MS}`);
      if (location !== ":memory:") this.#useWriteAheadLog();
      this.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      this.pragma("synchronous = FULL");
      this.pragma("foreign_keys = ON");
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** False as well after SQLite gave a transaction up by itself, as it does when the disk is full. */
  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  get closed(): boolean {
    return this.#closed;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql, parameters } = query;
    checkParameters(parameters);
    const single = isForSingleRow(query);
    const { statement, reader, columns } = this.#prepare(sql, single);
    try {
      if (single) {
        // get() costs half of all(), but adds a key of its own to rows that are objects.
        const values = statement.get(parameters) as unknown[] | undefined;
        return { rows: values === undefined ? [] : [toRow<Row>(columns, values)] };
      }
      if (reader) {
        // libsql knows nothing of the row type; Kysely derived it from the query.
        return { rows: statement.all(parameters) as Row[] };
      }
      const { changes } = statement.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes) };
    } catch (error) {
      // A statement that failed may not have been reset; it is prepared anew the next time.
      this.#statements.delete(sql);
      this.#singleRowStatements.delete(sql);
      throw toStorageError(error);
    }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error("Streaming would keep a read open while others write; page through the rows instead.");
  }

  /** Runs SQL without parameters and results, such as BEGIN and COMMIT. */
  exec(sql: string): void {
    this.#assertOpen();
    try {
      this.#database.exec(sql);
    } catch (error) {
      throw toStorageError(error);
    }
  }

  /** Runs a PRAGMA and gives its rows. */
  pragma(source: string): unknown {
    this.#assertOpen();
    try {
      return this.#database.pragma(source);
    } catch (error) {
      throw toStorageError(error);
    }
  }

  /** A number that is another one after any other connection has committed something. */
  dataVersion(): number {
    this.#assertOpen();
    try {
      this.#versionStatement ??= this.#database.prepare("PRAGMA data_version").raw();
      // The cast: this is what SQLite answers to it.
      return (this.#versionStatement.get([]) as [number])[0];
    } catch (error) {
      throw toStorageError(error);
    }
  }

  /** Closes the connection; what is called later throws StorageUnavailableError. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#statements.clear();
    this.#singleRowStatements.clear();
    this.#database.close();
  }

  #prepare(sql: string, single: boolean): Prepared {
    this.#assertOpen();
    const statements = single ? this.#singleRowStatements : this.#statements;
    const known = statements.get(sql);
    if (known !== undefined) return known;
    try {
      const statement = this.#database.prepare(sql);
      const prepared = {
        statement: single ? statement.raw() : statement,
        reader: statement.reader,
        columns: single ? statement.columns().map((column) => column.name) : [],
      };
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      statements.set(sql, prepared);
      return prepared;
    } catch (error) {
      throw toStorageError(error);
    }
  }

  #assertOpen(): void {
    // libsql's statements go on working after their connection was closed.
    if (this.#closed) throw new StorageUnavailableError("The database is closed.");
  }

  /** SQLite does not wait by itself when another process is about to write, or to make the same change. */
  #useWriteAheadLog(): void {
    const deadline = Date.now() + LOCK_TIMEOUT_MS;
    for (;;) {
      try {
        this.pragma("journal_mode = WAL");
        return;
      } catch (error) {
        if (!(error instanceof ConflictError) || Date.now() > deadline) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }
    }
  }
}

/**
 * Makes sure that a database file exists, readable by its owner only, and its folder too.
 *
 * @param file An absolute path.
 * @throws StorageUnavailableError when that is not possible; the message names the file.
 */
export function createDatabaseFile(file: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageUnavailableError(`Cannot open the database file ${file}: ${reason}`, { cause: error });
  }
}

function open(location: string): Database.Database {
  try {
    return new Database(location);
  } catch (error) {
    throw toStorageError(error);
  }
}

/** Whether a query is a SELECT with LIMIT 1. */
function isForSingleRow({ query }: CompiledQuery): boolean {
  if (!SelectQueryNode.is(query) || query.limit === undefined) return false;
  const count = query.limit.limit;
  return ValueNode.is(count) && count.value === 1;
}

function toRow<Row>(columns: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) row[column] = values[index];
  // The cast: like in all(), Kysely knows the type of the row.
  return row as Row;
}
