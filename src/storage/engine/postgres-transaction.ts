import type { CompiledQuery, QueryResult } from "kysely";
import type { Pool, PoolClient, QueryResult as PgResult } from "pg";
import { StorageUnavailableError } from "../../errors.js";
import type { Release } from "../../queues/fair-queue.js";
import { connect, execute } from "./postgres.js";
import { breaksConnection, mapPostgresError } from "./postgres-errors.js";
import type { Transaction } from "./transaction.js";

/** Transaction with an exclusive connection. */
export class PostgresTransaction implements Transaction {
  readonly #client: PoolClient;
  readonly #releaseSlot: Release | undefined;
  /** Settles with the previous query, because `pg` expects one query at a time. */
  #previousQuery: Promise<unknown> = Promise.resolve();
  #isBroken = false;
  #isOver = false;

  private constructor(client: PoolClient, releaseSlot: Release | undefined) {
    this.#client = client;
    this.#releaseSlot = releaseSlot;
    client.on("error", this.#markBroken);
  }

  /**
   * Begins a transaction on a connection of a pool. Throws a LockTimeoutError when another process holds the lock for too long, or a
   * StorageUnavailableError.
   *
   * @param statement the BEGIN, and a statement that acquires a lock
   * @param releaseSlot called when the transaction has ended or cannot begin
   */
  static async begin(pool: Pool, statement: string, releaseSlot?: Release): Promise<PostgresTransaction> {
    const client = await connect(pool).catch((error: unknown) => {
      releaseSlot?.();
      throw error;
    });
    const transaction = new PostgresTransaction(client, releaseSlot);
    try {
      await transaction.#exec(statement);
      return transaction;
    } catch (error) {
      await transaction.rollBack();
      throw error;
    }
  }

  get isOpen(): boolean {
    return !this.#isOver && !this.#isBroken;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#run(() => execute<Row>(this.#client, query));
  }

  /** Commits. If it throws, the caller must roll back, which releases the connection. */
  async commit(): Promise<void> {
    const { command } = await this.#exec("COMMIT");
    this.#release();
    // PostgreSQL responds with ROLLBACK and no error when a statement of the transaction has failed.
    if (command !== "COMMIT")
      throw new StorageUnavailableError(
        `PostgreSQL rolled back instead of committing: COMMIT returned ${command}.`,
      );
  }

  async rollBack(): Promise<void> {
    if (this.#isOver) return;
    if (!this.#isBroken) await this.#exec("ROLLBACK").catch(() => (this.#isBroken = true));
    this.#release();
  }

  #exec(sql: string): Promise<PgResult> {
    return this.#run(() => this.#client.query(sql));
  }

  async #run<T>(query: () => Promise<T>): Promise<T> {
    const result = this.#previousQuery.then(query);
    this.#previousQuery = result.catch(() => {});
    try {
      return await result;
    } catch (error) {
      this.#isBroken ||= breaksConnection(error);
      throw mapPostgresError(error);
    }
  }

  readonly #markBroken = (): void => {
    this.#isBroken = true;
  };

  #release(): void {
    this.#isOver = true;
    this.#client.off("error", this.#markBroken);
    this.#client.release(this.#isBroken);
    this.#releaseSlot?.();
  }
}
