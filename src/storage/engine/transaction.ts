import type { CompiledQuery, QueryResult } from "kysely";
import type { Connection } from "./dialect.js";
import { StorageUnavailableError } from "./errors.js";
import type { Db } from "../tables.js";
import { estimateGrowthBytes } from "./written-bytes.js";

/** A transaction in which jobs run one after another, each in the savepoint `job`. The first savepoint exists already. */
export interface Transaction extends Connection {
  /** False once the database is unreachable or has rolled it back itself, as SQLite does when the disk is full. */
  readonly open: boolean;
  /** Keeps the changes since the savepoint, and sets the savepoint of the next job. */
  releaseJob(): void | Promise<void>;
  /** Rolls back to the savepoint, which the next job reuses. */
  rollBackJob(): void | Promise<void>;
  /** Makes all changes durable. Ends the transaction even if that fails. */
  commit(): void | Promise<void>;
  /** Rolls back and ends the transaction. Never throws. */
  rollBack(): void | Promise<void>;
}

/** Begins transactions. */
export interface TransactionSource {
  /**
   * Begins a transaction that holds the write lock of its jobs. Throws a ConflictError when another process holds the lock
   * for too long, or a StorageUnavailableError.
   *
   * @param isLong whether the last job of its first tenant was long
   */
  begin(isLong: boolean): Promise<Transaction>;
  /** Whether transactions of other queues wait for the connection of this one. */
  readonly isAwaited?: () => boolean;
  /** Pause after a long transaction, if other processes poll for the lock. */
  readonly pauseMs?: number;
  /** Opens Kysely on the connection of a job. */
  openKysely(connection: Connection): Db;
  /** Receives the number of jobs of each commit. */
  readonly onCommit?: ((jobs: number) => void) | undefined;
  /** Receives the estimated growth of a tenant after each job that succeeded, before its commit. */
  readonly onWrite: (tenantId: string, bytes: number) => void;
}

/**
 * The connection of one job. It refuses queries after the end of the job, because they would run in the savepoint of the next
 * job. It remembers errors that the job caught, so that the job cannot succeed after a failed query.
 */
export class JobConnection implements Connection {
  readonly #transaction: Transaction;
  #ended = false;
  #growthBytes = 0;
  #failure: { error: unknown } | undefined;

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
  }

  /** Estimated growth of the database by this job. */
  get growthBytes(): number {
    return this.#growthBytes;
  }

  /** Refuses further queries. */
  end(): void {
    this.#ended = true;
  }

  /** @throws the error of a query that failed; StorageUnavailableError when the transaction is lost */
  assertSucceeded(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    assertOpen(this.#transaction);
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#ended) throw new Error("The transaction of this query is over; wait for every query of a job.");
    // Outside a transaction the database would make the write durable at once.
    assertOpen(this.#transaction);
    this.#growthBytes += estimateGrowthBytes(query);
    try {
      return await this.#transaction.executeQuery<Row>(query);
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}

/** @throws StorageUnavailableError when the database has rolled the transaction back */
export function assertOpen(transaction: Transaction): void {
  if (transaction.open) return;
  throw new StorageUnavailableError("The database rolled back the transaction and all writes in it.");
}
