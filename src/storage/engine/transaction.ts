import type { CompiledQuery, QueryResult } from "kysely";
import { isRead, type Connection } from "./dialect.js";
import { StorageUnavailableError } from "../../errors.js";
import type { Db } from "../tables.js";
import { assertSupportedParameters } from "./parameters.js";
import { estimateGrowthBytes } from "./written-bytes.js";

/** A transaction in which writes run one after another. */
export interface Transaction extends Connection {
  /** False after the connection is lost or the database has rolled back, as SQLite does when the disk is full. */
  readonly isOpen: boolean;
  /** Makes all changes durable, and ends the transaction. If it throws, the caller must call rollBack. */
  commit(): void | Promise<void>;
  /** Rolls back and ends the transaction. Never throws. */
  rollBack(): void | Promise<void>;
}

/** Begins transactions. */
export interface TransactionSource {
  /** Begins a transaction that holds the lock of its writes. Throws a LockTimeoutError or StorageUnavailableError. */
  begin(): Promise<Transaction>;
  /** Whether transactions of other queues wait for the connection of this one. */
  readonly hasWaitingTransactions?: () => boolean;
  /** Time after which a write counts as long. */
  readonly longWriteMs: number;
  /** Tenants with long writes, with the time of the last one in milliseconds, which each shorter write halves. The queue updates it. */
  readonly longTenants: Map<string, number>;
  /** Pause after a long transaction, if other processes poll for the lock. */
  readonly pauseMs?: number;
  /** Opens Kysely on the connection of a write. */
  openKysely(connection: Connection): Db;
  /** Receives the number of writes of each commit. */
  readonly onCommit?: ((writes: number) => void) | undefined;
  /** Called before each commit with the bytes that a write is estimated to add. For a rerun, receives only the difference. */
  readonly onWrite: (tenantId: string, bytes: number) => void;
}

/**
 * The connection of one write. It refuses queries after the end of the write, because they would run as part of the next
 * one. It remembers errors that the write caught, so that the write cannot succeed after a failed query.
 */
export class WriteConnection implements Connection {
  readonly #transaction: Transaction;
  #ended = false;
  #growthBytes = 0;
  #hasChanged = false;
  #failure: { error: unknown } | undefined;

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
  }

  /** Estimated growth of the database by this write. */
  get growthBytes(): number {
    return this.#growthBytes;
  }

  /** Whether the transaction must be rolled back if this write fails: a query changed something, or failed. */
  get isDirty(): boolean {
    return this.#hasChanged || this.#failure !== undefined;
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
    if (this.#ended)
      throw new Error("The transaction of this query is over; wait for every query of a write.");
    // Outside a transaction the database would make the write durable at once.
    assertOpen(this.#transaction);
    this.#growthBytes += estimateGrowthBytes(query);
    this.#hasChanged ||= !isRead(query);
    try {
      assertSupportedParameters(query.parameters);
      return await this.#transaction.executeQuery<Row>(query);
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}

/** Checks that a transaction is open. Throws a StorageUnavailableError when the database has rolled it back. */
export function assertOpen(transaction: Transaction): void {
  if (transaction.isOpen) return;
  throw new StorageUnavailableError("The database rolled back the transaction and all writes in it.");
}
