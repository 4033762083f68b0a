import type { CompiledQuery, QueryResult } from "kysely";
// libsql publishes this module as CommonJS with `any` for results.
import AsyncDatabase from "libsql/promise";
import { MAX_WAITING_SCANS_PER_WORKSPACE, SCAN_TIMEOUT_MS, SCAN_WAIT_MS } from "../../budgets.js";
import type { Connection } from "./dialect.js";
import { StorageUnavailableError } from "./errors.js";
import { FairQueue } from "./fair-queue.js";
import { runInterruptibly } from "./interruption.js";
import { checkParameters } from "./parameters.js";
import { READ_CACHE_KIB } from "./sqlite.js";
import { toStorageError } from "./sqlite-errors.js";

/**
 * Runs SELECTs that can scan many rows, one at a time and outside of the event loop, which other connections of libsql
 * block. Workspaces take turns. A scan ends at its time limit or when its client disconnects.
 */
export class ScanConnection {
  readonly #file: string;
  readonly #queue = new FairQueue({
    slots: 1,
    slotsPerTenant: 1,
    maxWaitingPerTenant: MAX_WAITING_SCANS_PER_WORKSPACE,
    maxWaitMs: SCAN_WAIT_MS,
  });
  readonly #timeoutMs: number;
  #database: Promise<AsyncDatabase> | undefined;
  #running: Promise<unknown> | undefined;
  #closing: Promise<void> | undefined;

  /** @param file an absolute path */
  constructor(file: string, timeoutMs = SCAN_TIMEOUT_MS) {
    this.#file = file;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Returns the connection of a workspace.
   *
   * @param getCancelSignal returns the signal that cancels its scans
   */
  forWorkspace(workspaceId: string, getCancelSignal?: () => AbortSignal): Connection {
    return {
      executeQuery: <Row>(query: CompiledQuery) => this.#run<Row>(query, workspaceId, getCancelSignal?.()),
    };
  }

  /** Ends the scan under way and refuses further ones. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#queue.close(createClosedError());
    const database = await this.#database?.catch(() => undefined);
    database?.interrupt();
    await this.#running?.catch(() => {});
    // From here on libsql must not be called: interrupting a closed connection ends the process.
    database?.close();
  }

  async #run<Row>(
    { sql, parameters }: CompiledQuery,
    workspaceId: string,
    signal: AbortSignal | undefined,
  ): Promise<QueryResult<Row>> {
    checkParameters(parameters);
    const release = await this.#queue.acquire(workspaceId, signal);
    try {
      const database = await this.#connect();
      this.#running = runInterruptibly(
        () => this.#execute(database, sql, parameters, signal),
        () => database.interrupt(),
        { timeoutMs: this.#timeoutMs, signal },
      );
      // The cast: Kysely derived the row type from the query.
      return { rows: (await this.#running) as Row[] };
    } finally {
      release();
    }
  }

  async #execute(
    database: AsyncDatabase,
    sql: string,
    parameters: readonly unknown[],
    signal: AbortSignal | undefined,
  ): Promise<unknown[]> {
    try {
      // Materialized, because libsql steps to all rows but the first on the caller's thread.
      const statement = await database.prepare(`with scanned as materialized (${sql}) select * from scanned`);
      // An interruption has no effect before the statement runs.
      signal?.throwIfAborted();
      if (this.#closing !== undefined) throw createClosedError();
      return await statement.all([...parameters]);
    } catch (error) {
      throw toStorageError(error);
    }
  }

  /** Opens the connection, unless it is open. After a failure the next scan tries again. */
  async #connect(): Promise<AsyncDatabase> {
    this.#database ??= this.#open();
    try {
      return await this.#database;
    } catch (error) {
      this.#database = undefined;
      throw toStorageError(error);
    }
  }

  async #open(): Promise<AsyncDatabase> {
    const database = new AsyncDatabase(this.#file, {});
    for (const setting of ["query_only = ON", `cache_size = -${READ_CACHE_KIB}`]) {
      await (await database.prepare(`PRAGMA ${setting}`)).all([]);
    }
    return database;
  }
}

function createClosedError(): StorageUnavailableError {
  return new StorageUnavailableError("The database is closed.");
}
