import Database from "libsql";
// libsql publishes this module as CommonJS with `any` for results.
import AsyncDatabase from "libsql/promise";
import { SelectQueryNode, ValueNode, type CompiledQuery, type QueryResult } from "kysely";
import { LOCK_TIMEOUT_MS, MAX_CACHED_STATEMENT_LENGTH } from "../../budgets.js";
import type { Connection } from "./dialect.js";
import { LockTimeoutError, StorageUnavailableError } from "../../errors.js";
import { assertSupportedParameters } from "./parameters.js";
import { explainSqliteError, mapSqliteError } from "./sqlite-errors.js";

/** Pages of 4 KiB in the log at which a COMMIT runs a checkpoint. With SQLite's default of 1,000, commits took twice the time. */
const WAL_AUTOCHECKPOINT_PAGES = 10_000;

/** Maximum number of cached prepared statements. Statements with lists of different lengths have different texts. */
const MAX_STATEMENTS = 256;

/** A prepared statement with properties of it that cost a native call of libsql. */
interface CachedStatement {
  readonly statement: Database.Statement;
  readonly returnsRows: boolean;
  /** Names of the result's columns; empty unless the statement returns rows as arrays. */
  readonly columns: readonly string[];
}

/** Connection to a SQLite database for Kysely and for our own transactions. Runs synchronously. */
export class SqliteConnection implements Connection {
  readonly #database: Database.Database;
  /** By SQL text. Single-row statements are separate, because they return rows as arrays. */
  readonly #statements = new Map<string, CachedStatement>();
  readonly #singleRowStatements = new Map<string, CachedStatement>();
  #versionStatement: Database.Statement | undefined;
  #committing = false;
  #hasCommitCheckpoint: boolean | undefined;

  /** Opens the database at an absolute path or ":memory:". Throws a LockTimeoutError or StorageUnavailableError. */
  constructor(location: string) {
    this.#database = openDatabase(location);
    try {
      this.pragma(`busy_timeout = ${LOCK_TIMEOUT_MS}`);
      if (location !== ":memory:") this.#useWriteAheadLog();
      this.setCommitCheckpoint(true);
      this.pragma("synchronous = FULL");
      this.pragma("foreign_keys = ON");
    } catch (error) {
      this.close();
      if (!(error instanceof StorageUnavailableError && error.cause instanceof Error)) throw error;
      const reason = explainSqliteError(error.cause);
      throw new StorageUnavailableError(`Cannot open the database file ${location}: ${reason}`, {
        cause: error,
      });
    }
  }

  /** Also false after SQLite has rolled back a transaction itself, for example because the disk is full. */
  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  get closed(): boolean {
    return !this.#database.open;
  }

  /** Whether a COMMIT runs, so that other connections may see its changes already. */
  get committing(): boolean {
    return this.#committing;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql, parameters } = query;
    assertSupportedParameters(parameters);
    const isSingleRow = isForSingleRow(query);
    const { statement, returnsRows, columns } = this.#prepare(sql, isSingleRow);
    try {
      if (isSingleRow) {
        // get() costs half of all(). Safe cast: this statement returns rows as arrays, because get() adds a key to objects.
        const values = statement.get(parameters) as unknown[] | undefined;
        return { rows: values === undefined ? [] : [toRow<Row>(columns, values)] };
      }
      if (returnsRows) {
        // Safe cast: Kysely derived the row type from the query.
        return { rows: statement.all(parameters) as Row[] };
      }
      const { changes } = statement.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes) };
    } catch (error) {
      // libsql does not reset a statement whose get() failed, and it would fail again with other parameters.
      this.#singleRowStatements.delete(sql);
      throw mapSqliteError(error);
    }
  }

  /** Runs SQL without parameters and results, such as BEGIN. */
  exec(sql: string): void {
    this.#callLibsql((database) => database.exec(sql));
  }

  /** Commits a transaction outside of the event loop. Any other use of the connection waits, and blocks the event loop. */
  async commit(): Promise<void> {
    this.#committing = true;
    try {
      // Both modules of libsql have the same native connections.
      await this.#callLibsql((database) => AsyncDatabase.prototype.exec.call(database, "COMMIT"));
    } catch (error) {
      // #callLibsql maps only errors that are thrown synchronously.
      throw mapSqliteError(error);
    } finally {
      this.#committing = false;
    }
  }

  /** Runs a PRAGMA and returns its rows. */
  pragma(source: string): unknown {
    return this.#callLibsql((database) => database.pragma(source));
  }

  /** Sets whether a COMMIT runs a checkpoint of a log of WAL_AUTOCHECKPOINT_PAGES. */
  setCommitCheckpoint(enabled: boolean): void {
    if (this.#hasCommitCheckpoint === enabled) return;
    this.pragma(`wal_autocheckpoint = ${enabled ? WAL_AUTOCHECKPOINT_PAGES : 0}`);
    this.#hasCommitCheckpoint = enabled;
  }

  /** Returns a number that changes with each commit of another connection. */
  readDataVersion(): number {
    return this.#callLibsql((database) => {
      this.#versionStatement ??= database.prepare("PRAGMA data_version").raw();
      // Safe cast: the result of `PRAGMA data_version` is one integer.
      return (this.#versionStatement.get([]) as [number])[0];
    });
  }

  /** Frees the page cache and the prepared statements, which later calls need to fill again. */
  releaseMemory(): void {
    this.#statements.clear();
    this.#singleRowStatements.clear();
    this.pragma("shrink_memory");
  }

  /** Closes the connection. Later calls throw StorageUnavailableError. */
  close(): void {
    if (this.closed) return;
    this.#statements.clear();
    this.#singleRowStatements.clear();
    this.#database.close();
  }

  #prepare(sql: string, isSingleRow: boolean): CachedStatement {
    return this.#callLibsql((database) => {
      const statements = isSingleRow ? this.#singleRowStatements : this.#statements;
      const cached = statements.get(sql);
      if (cached !== undefined) return cached;
      const statement = database.prepare(sql);
      const prepared = {
        statement: isSingleRow ? statement.raw() : statement,
        returnsRows: statement.reader,
        columns: isSingleRow ? statement.columns().map((column) => column.name) : [],
      };
      if (sql.length > MAX_CACHED_STATEMENT_LENGTH) return prepared;
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      statements.set(sql, prepared);
      return prepared;
    });
  }

  /** Calls libsql, and maps its errors. Throws when the connection is closed; statements of libsql would still work. */
  #callLibsql<Result>(use: (database: Database.Database) => Result): Result {
    if (this.closed) throw new StorageUnavailableError("The database is closed.");
    try {
      return use(this.#database);
    } catch (error) {
      throw mapSqliteError(error);
    }
  }

  /** Turns on WAL. Retries, because SQLite ignores the busy timeout while another process writes or turns on WAL too. */
  #useWriteAheadLog(): void {
    const deadline = Date.now() + LOCK_TIMEOUT_MS;
    for (;;) {
      try {
        this.pragma("journal_mode = WAL");
        return;
      } catch (error) {
        if (!(error instanceof LockTimeoutError) || Date.now() > deadline) throw error;
        // Sleeps for 10 ms, because the constructor runs synchronously.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }
    }
  }
}

function openDatabase(location: string): Database.Database {
  try {
    return new Database(location);
  } catch (error) {
    throw mapSqliteError(error);
  }
}

function isForSingleRow({ query }: CompiledQuery): boolean {
  if (!SelectQueryNode.is(query) || query.limit === undefined) return false;
  const count = query.limit.limit;
  return ValueNode.is(count) && count.value === 1;
}

function toRow<Row>(columns: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) row[column] = values[index];
  // Safe cast: Kysely derived the row type from the query.
  return row as Row;
}
