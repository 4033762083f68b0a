import type { CompiledQuery, QueryResult } from "kysely";
// libsql publishes this module as CommonJS with `any` for results.
import AsyncDatabase from "libsql/promise";
import {
  MAX_WAITING_SCANS_PER_WORKSPACE,
  READ_CACHE_KIB,
  SCAN_TIMEOUT_MS,
  SCAN_WAIT_MS,
} from "../../budgets.js";
import type { Connection } from "./dialect.js";
import { StorageUnavailableError } from "../../errors.js";
import { FairQueue } from "../../fair-queue.js";
import { createScanConnection, runInterruptibly, type ScanRequest } from "./scans.js";
import { isInterrupted, mapSqliteError } from "./sqlite-errors.js";

/** Number of retained statements and results after which the connection is replaced, which frees them. */
const MAX_RETAINED = 100;

/** Runs scans of a SQLite file, one at a time and outside of the event loop, which other connections of libsql block. */
export class SqliteScanner {
  readonly #file: string;
  readonly #queue = new FairQueue({
    slots: 1,
    slotsPerTenant: 1,
    maxWaitingPerTenant: MAX_WAITING_SCANS_PER_WORKSPACE,
    maxWaitMs: SCAN_WAIT_MS,
  });
  readonly #timeoutMs: number;
  readonly #shortenLog: () => Promise<void>;
  #database: AsyncDatabase | undefined;
  /** Statements and results. If one were garbage collected, libsql would block the event loop until no scan runs. */
  #retained: unknown[] = [];
  #running: Promise<unknown> | undefined;
  readonly #closing = new AbortController();

  /**
   * @param file an absolute path
   * @param shortenLog called before each scan, see CheckpointScheduler
   */
  constructor(file: string, shortenLog = async (): Promise<void> => {}, timeoutMs = SCAN_TIMEOUT_MS) {
    this.#file = file;
    this.#shortenLog = shortenLog;
    this.#timeoutMs = timeoutMs;
  }

  /** Creates the connection for the scans of a request of a workspace. */
  connect(workspaceId: string, request: ScanRequest = {}): Connection {
    return createScanConnection(this.#queue, workspaceId, request, (query, signal) =>
      this.#scan(query, signal),
    );
  }

  /** Frees the memory that the connection keeps between scans. The next scan opens another connection. */
  releaseMemory(): void {
    if (this.#running === undefined) this.#disconnect();
  }

  /** Ends the scan under way and refuses further ones. */
  async close(): Promise<void> {
    const reason = new StorageUnavailableError("The database is closed.");
    this.#queue.close(reason);
    this.#closing.abort(reason);
    await this.#running?.catch(() => {});
    this.#disconnect();
  }

  async #scan<Row>(query: CompiledQuery, signal: AbortSignal | undefined): Promise<QueryResult<Row>> {
    await this.#shortenLog();
    // An array, because AbortSignal.any() keeps memory for each signal that is never aborted.
    const signals = [this.#closing.signal, ...(signal ? [signal] : [])];
    const execute = () => this.#execute(query, signals);
    const interrupt = () => this.#database?.interrupt();
    this.#running = runInterruptibly(execute, interrupt, this.#timeoutMs, signals);
    const rows = await this.#running.finally(() => (this.#running = undefined));
    // Safe cast: Kysely derived the row type from the query.
    return { rows: rows as Row[] };
  }

  async #execute({ sql, parameters }: CompiledQuery, signals: readonly AbortSignal[]): Promise<unknown[]> {
    try {
      const database = (this.#database ??= await this.#connect());
      try {
        // Materialized, because libsql computes all rows but the first on the main thread.
        const statement = await database.prepare(
          `with scanned as materialized (${sql}) select * from scanned`,
        );
        this.#retained.push(statement);
        // An interruption has no effect before the statement runs.
        for (const signal of signals) signal.throwIfAborted();
        const rows = await statement.iterate([...parameters]);
        this.#retained.push(rows);
        return [...rows];
      } finally {
        await database.exec("PRAGMA shrink_memory").catch(() => {});
        if (this.#retained.length >= MAX_RETAINED) this.#disconnect();
      }
    } catch (error) {
      // After any other error than an interruption, the connection may be broken.
      if (!isInterrupted(error) && !signals.some(({ aborted }) => aborted)) this.#disconnect();
      throw mapSqliteError(error);
    }
  }

  async #connect(): Promise<AsyncDatabase> {
    const database = new AsyncDatabase(this.#file, {});
    try {
      // Not prepared, because these statements would be garbage collected during a scan.
      await database.exec(`PRAGMA query_only = ON; PRAGMA cache_size = -${READ_CACHE_KIB}`);
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  }

  /** Closes the connection. Its files are closed when its statements are garbage collected. */
  #disconnect(): void {
    const database = this.#database;
    // Interrupting a closed connection ends the process.
    this.#database = undefined;
    this.#retained = [];
    database?.close();
  }
}
