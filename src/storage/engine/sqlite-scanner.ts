import type { CompiledQuery, QueryResult } from "kysely";
// libsql publishes this module as CommonJS with `any` for results.
import AsyncDatabase from "libsql/promise";
import {
  MAX_RETAINED_CHARACTERS,
  MAX_RETAINED_SCANS,
  READ_CACHE_KIB,
  STATEMENT_BYTES_PER_CHARACTER,
  SCAN_TIMEOUT_MS,
  SQLITE_SCAN_QUEUE,
} from "../../budgets.js";
import type { Connection } from "./dialect.js";
import { StorageUnavailableError } from "../../errors.js";
import { FairQueue } from "../../queues/fair-queue.js";
import { createScanConnection, runInterruptibly, type ScanOptions } from "./scans.js";
import { isInterrupted, mapSqliteError } from "./sqlite-errors.js";

/** Runs scans of a SQLite file outside of the event loop, which other connections of libsql block. */
export class SqliteScanner {
  readonly #queue = new FairQueue(SQLITE_SCAN_QUEUE);
  readonly #idle: SqliteScanConnection[];
  readonly #running = new Set<Promise<unknown>>();
  readonly #timeoutMs: number;
  readonly #shortenLog: () => Promise<void>;
  readonly #closing = new AbortController();

  /** @param shortenLog called before each scan, see CheckpointScheduler */
  constructor(file: string, shortenLog = async (): Promise<void> => {}, timeoutMs = SCAN_TIMEOUT_MS) {
    this.#idle = Array.from({ length: SQLITE_SCAN_QUEUE.slots }, () => new SqliteScanConnection(file));
    this.#shortenLog = shortenLog;
    this.#timeoutMs = timeoutMs;
  }

  /** Creates the connection for the scans of a request of a workspace. */
  connect(workspaceId: string, options: ScanOptions = {}): Connection {
    return createScanConnection(this.#queue, workspaceId, options, (query, signal) =>
      this.#scan(query, signal),
    );
  }

  /** Frees the memory that idle connections keep between scans. Their next scans open other connections. */
  releaseMemory(): void {
    for (const connection of this.#idle) connection.disconnect();
  }

  /** Ends the scans under way and refuses further ones. */
  async close(): Promise<void> {
    const reason = new StorageUnavailableError("The database is closed.");
    this.#queue.close(reason);
    this.#closing.abort(reason);
    await Promise.allSettled(this.#running);
    this.releaseMemory();
  }

  async #scan<Row>(query: CompiledQuery, signal: AbortSignal | undefined): Promise<QueryResult<Row>> {
    // The last one that was used, so that the other one is opened only for scans at the same time.
    const connection = this.#idle.pop();
    if (connection === undefined) throw new Error("There are fewer connections than slots for scans.");
    const running = this.#scanWith(connection, query, signal).finally(() => {
      this.#running.delete(running);
      this.#idle.push(connection);
    });
    this.#running.add(running);
    // Safe cast: Kysely derived the row type from the query.
    return { rows: (await running) as Row[] };
  }

  async #scanWith(
    connection: SqliteScanConnection,
    query: CompiledQuery,
    signal: AbortSignal | undefined,
  ): Promise<unknown[]> {
    await this.#shortenLog();
    // An array, because AbortSignal.any() keeps memory for each signal that is never aborted.
    const signals = [this.#closing.signal, ...(signal ? [signal] : [])];
    const execute = () => connection.execute(query, signals);
    return runInterruptibly(execute, () => connection.interrupt(), this.#timeoutMs, signals);
  }
}

/** Connection for one scan at a time, which the first one opens. */
class SqliteScanConnection {
  readonly #file: string;
  #database: AsyncDatabase | undefined;
  /** Statements and results of scans. If one were garbage collected, libsql would block the event loop until no scan runs. */
  #retained: unknown[][] = [];
  #retainedCharacters = 0;

  constructor(file: string) {
    this.#file = file;
  }

  interrupt(): void {
    this.#database?.interrupt();
  }

  /** Runs a SELECT and returns its rows. Throws the reason of an aborted signal, or a StorageUnavailableError. */
  async execute({ sql, parameters }: CompiledQuery, signals: readonly AbortSignal[]): Promise<unknown[]> {
    try {
      const database = (this.#database ??= await this.#connect());
      try {
        // Materialized, because libsql computes all rows but the first on the main thread.
        const statement = await database.prepare(
          `with scanned as materialized (${sql}) select * from scanned`,
        );
        // V8 does not know of the statement's memory. It counts an empty buffer of this size, and so collects garbage in time.
        const retained: unknown[] = [statement, new ArrayBuffer(sql.length * STATEMENT_BYTES_PER_CHARACTER)];
        this.#retained.push(retained);
        this.#retainedCharacters += sql.length;
        // An interruption has no effect before the statement runs.
        for (const signal of signals) signal.throwIfAborted();
        const rows = await statement.iterate([...parameters]);
        retained.push(rows);
        return [...rows];
      } finally {
        await database.exec("PRAGMA shrink_memory").catch(() => {});
        const isFull =
          this.#retained.length >= MAX_RETAINED_SCANS || this.#retainedCharacters >= MAX_RETAINED_CHARACTERS;
        if (isFull) this.disconnect();
      }
    } catch (error) {
      // After any other error than an interruption, the connection may be broken.
      if (!isInterrupted(error) && !signals.some(({ aborted }) => aborted)) this.disconnect();
      throw mapSqliteError(error);
    }
  }

  async #connect(): Promise<AsyncDatabase> {
    const database = new AsyncDatabase(this.#file, {});
    try {
      // Not prepared, because the statement would be garbage collected during a scan.
      await database.exec(`PRAGMA cache_size = -${READ_CACHE_KIB}`);
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  }

  /** Closes the connection. Its files are closed when its statements are garbage collected. */
  disconnect(): void {
    const database = this.#database;
    // Interrupting a closed connection ends the process.
    this.#database = undefined;
    this.#retained = [];
    this.#retainedCharacters = 0;
    database?.close();
  }
}
