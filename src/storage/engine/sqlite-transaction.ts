import { setTimeout as sleep } from "node:timers/promises";
import type { CompiledQuery, QueryResult } from "kysely";
import { LOCK_TIMEOUT_MS, MAX_TURN_MS } from "../../budgets.js";
import { LockTimeoutError } from "../../errors.js";
import type { SqliteConnection } from "./sqlite.js";
import type { Transaction } from "./transaction.js";

/** Maximum interval between attempts to get the lock, and the pause of the write queue in which other processes can get it. */
export const LOCK_POLL_INTERVAL_MS = 8;

/** Begins a transaction, see TransactionSource.begin. Polls for the lock, because SQLite's own timeout blocks the event loop. */
export async function beginTransaction(connection: SqliteConnection): Promise<Transaction> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      connection.exec("BEGIN IMMEDIATE");
      return new SqliteTransaction(connection);
    } catch (error) {
      if (!(error instanceof LockTimeoutError) || performance.now() > deadline) throw error;
      // Random, so that two processes do not retry in step.
      await sleep(LOCK_POLL_INTERVAL_MS * Math.random());
    }
  }
}

class SqliteTransaction implements Transaction {
  readonly #connection: SqliteConnection;
  /** Start of this turn of the event loop, on the clock of performance.now(). */
  #turnStarted = performance.now();

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  get isOpen(): boolean {
    return this.#connection.inTransaction;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (performance.now() - this.#turnStarted > MAX_TURN_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#turnStarted = performance.now();
    }
    return this.#connection.executeQuery(query);
  }

  commit(): Promise<void> {
    return this.#connection.commit();
  }

  rollBack(): void {
    try {
      if (this.isOpen) this.#connection.exec("ROLLBACK");
    } catch {
      // Ignored: BEGIN of the next group fails and rejects its writes.
    }
  }
}
