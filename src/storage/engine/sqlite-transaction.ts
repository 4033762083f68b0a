import { setTimeout as sleep } from "node:timers/promises";
import type { CompiledQuery, QueryResult } from "kysely";
import { LOCK_TIMEOUT_MS } from "../../budgets.js";
import { ConflictError } from "./errors.js";
import type { SqliteConnection } from "./sqlite.js";
import type { Transaction } from "./transaction.js";

/**
 * Time after which a transaction yields to the event loop before its next statement, so that other requests can read.
 */
const MAX_TURN_MS = 20;

/**
 * Begins a transaction. Waits for the lock of another process without blocking the event loop, as SQLite's own timeout
 * would.
 *
 * @param since start of the wait of the first job, on the clock of performance.now(), which counts against the time limit
 * @throws ConflictError when another process holds the lock for too long
 */
export async function beginTransaction(connection: SqliteConnection, since: number): Promise<Transaction> {
  const deadline = since + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      connection.exec("BEGIN IMMEDIATE");
      connection.exec("SAVEPOINT job");
      return new SqliteTransaction(connection);
    } catch (error) {
      if (!(error instanceof ConflictError) || performance.now() > deadline) throw error;
      // Random, so that two processes do not retry in step.
      await sleep(1 + Math.random() * 9);
    }
  }
}

/** Transaction on the connection for writes. */
class SqliteTransaction implements Transaction {
  readonly #connection: SqliteConnection;
  /** Start of this turn of the event loop, on the clock of performance.now(). */
  #turnStarted = performance.now();

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  get open(): boolean {
    return this.#connection.inTransaction;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (performance.now() - this.#turnStarted > MAX_TURN_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#turnStarted = performance.now();
    }
    return this.#connection.executeQuery(query);
  }

  releaseJob(): void {
    this.#connection.exec("RELEASE job; SAVEPOINT job");
  }

  rollBackJob(): void {
    this.#connection.exec("ROLLBACK TO job");
  }

  commit(): void {
    this.#connection.exec("COMMIT");
  }

  rollBack(): void {
    try {
      if (this.open) this.#connection.exec("ROLLBACK");
    } catch {
      // Ignored: BEGIN of the next group fails and rejects its jobs.
    }
  }
}
