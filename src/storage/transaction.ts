import type { CompiledQuery, DatabaseConnection, Kysely, QueryResult } from "kysely";
import { StorageUnavailableError } from "./errors.js";
import type { Tables } from "./tables.js";

/** A transaction that jobs run in one after another, each in the savepoint `job`. It begins with the first one. */
export interface Transaction extends DatabaseConnection {
  /** False once the database has given it up by itself, as SQLite does when the disk is full, or cannot be reached. */
  readonly open: boolean;
  /** Keeps what was done since the savepoint, and makes the savepoint of the next job. */
  keepJob(): void | Promise<void>;
  /** Undoes what was done since the savepoint, which the next job can use. */
  undoJob(): void | Promise<void>;
  /** Makes all of it durable. The transaction is over, whether that succeeds or not. */
  commit(): void | Promise<void>;
  /** Undoes all of it, and never throws. The transaction is over. */
  rollBack(): void | Promise<void>;
}

/** Where transactions come from. */
export interface TransactionSource {
  /**
   * Begins a transaction in which nobody else writes what its jobs write.
   *
   * @param since When the first of its jobs began to wait, on the clock of performance.now().
   * @throws ConflictError when somebody else does so for too long; StorageUnavailableError.
   */
  begin(since: number): Promise<Transaction>;
  /** Opens Kysely over the connection that a job gets. */
  openKysely(connection: DatabaseConnection): Kysely<Tables>;
  /** Is told how many jobs were committed together. */
  readonly committed?: ((jobs: number) => void) | undefined;
}

/**
 * Belongs to one job: a query that the job forgot to wait for must not end up in the next job's savepoint, and a failure
 * that it hid must not look like success.
 */
export class JobConnection implements DatabaseConnection {
  readonly #transaction: Transaction;
  #ended = false;
  #failure: { error: unknown } | undefined;

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
  }

  /** Refuses further queries. */
  end(): void {
    this.#ended = true;
  }

  /** Throws when a query has failed, or the transaction is gone. */
  assertWhole(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    assertOpen(this.#transaction);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#ended) throw new Error("The transaction of this query is over; wait for every query of a job.");
    // Outside a transaction the database would make the write durable at once.
    assertOpen(this.#transaction);
    try {
      return await this.#transaction.executeQuery<Row>(query);
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error("Streaming would keep a read open while others write; page through the rows instead.");
  }
}

/** @throws StorageUnavailableError when the database has given the transaction up. */
export function assertOpen(transaction: Transaction): void {
  if (transaction.open) return;
  throw new StorageUnavailableError(
    "The database gave up the transaction, together with what others wrote in it.",
  );
}
