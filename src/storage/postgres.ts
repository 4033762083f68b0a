import {
  RawNode,
  SelectQueryNode,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
} from "kysely";
import { Client, Pool, types, type ClientBase, type PoolClient, type QueryResult as PgResult } from "pg";
import { isPrepared } from "./compile-once.js";
import { StorageUnavailableError } from "./errors.js";
import { checkParameters } from "./parameters.js";
import { breaksConnection, toStorageError } from "./postgres-errors.js";
import type { Transaction } from "./transaction.js";

/**
 * Milliseconds that making a connection takes at most, and waiting for one that others use. A server that is stopped
 * refuses at once; this is for one that is busy, or whose machine is gone.
 */
const CONNECT_TIMEOUT = 5000;

/** Milliseconds that the server waits for a lock that somebody else holds. */
const LOCK_TIMEOUT = 5000;

/** Milliseconds that the server works on one statement, waiting for locks included. */
const STATEMENT_TIMEOUT = 8000;

/** Milliseconds after which we give up an answer; later than the server does, unless it cannot be reached. */
const ANSWER_TIMEOUT = 10_000;

/** Requests that wait for a connection; more would wait in vain. */
const MAX_WAITING = 1000;

const BIGINT = 20;
const NUMERIC = 1700;

/** Integers and sums as numbers, which is what Kysely's types say: none of ours is beyond 2^53. */
function getTypeParser(oid: number, format?: "text" | "binary"): (text: string) => unknown {
  return oid === BIGINT || oid === NUMERIC ? Number : types.getTypeParser(oid, format);
}

/**
 * Makes a pool of connections. None is opened before it is needed.
 *
 * @param options `readOnly`: the server refuses to write over them.
 */
export function openPool(url: string, { max, readOnly }: { max: number; readOnly: boolean }): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: "page-service",
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    query_timeout: ANSWER_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    lock_timeout: LOCK_TIMEOUT,
    // A process that hangs, or a network that is gone, must not keep a workspace locked.
    idle_in_transaction_session_timeout: ANSWER_TIMEOUT,
    keepAlive: true,
    types: { getTypeParser },
    ...(readOnly ? { onConnect: (client) => client.query("SET default_transaction_read_only = on") } : {}),
  });
  // Whoever uses a connection next is told that it is lost; without a listener the process would end.
  const ignore = (): void => {};
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
  return pool;
}

/**
 * Takes a connection out of a pool.
 *
 * @throws StorageUnavailableError
 */
async function connect(pool: Pool): Promise<PoolClient> {
  if (pool.waitingCount >= MAX_WAITING) {
    throw new StorageUnavailableError("Too many requests wait for PostgreSQL already.");
  }
  try {
    return await pool.connect();
  } catch (error) {
    throw toStorageError(error);
  }
}

/** Answers SELECTs, each over whichever connection is free. */
export class PoolConnection implements DatabaseConnection {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!SelectQueryNode.is(query.query) && !RawNode.is(query.query)) {
      throw new Error("store.read is for reads: use store.write().");
    }
    checkParameters(query.parameters);
    const client = await connect(this.#pool);
    let broken = false;
    try {
      return await execute<Row>(client, query);
    } catch (error) {
      broken = breaksConnection(error);
      throw toStorageError(error);
    } finally {
      client.release(broken);
    }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error("Streaming would keep a connection from others; page through the rows instead.");
  }
}

/** A transaction, and the connection that it has for itself until it is over. */
export class PostgresTransaction implements Transaction {
  readonly #client: PoolClient;
  /** The end of the query before: `pg` wants to be asked one thing at a time. */
  #before: Promise<unknown> = Promise.resolve();
  #broken = false;
  #over = false;

  private constructor(client: PoolClient) {
    this.#client = client;
    client.once("error", this.#lost);
  }

  /**
   * Begins a transaction that has an advisory lock, which the server gives up with it.
   *
   * @param lock 64 bits, signed.
   * @throws ConflictError when others hold the lock for too long; StorageUnavailableError.
   */
  static async begin(pool: Pool, lock: bigint): Promise<PostgresTransaction> {
    const transaction = new PostgresTransaction(await connect(pool));
    try {
      await transaction.#exec(
        // Each statement sees what others committed before it: the first one after the lock, what they did under it.
        `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(${lock}); SAVEPOINT job`,
      );
      return transaction;
    } catch (error) {
      await transaction.rollBack();
      throw error;
    }
  }

  get open(): boolean {
    return !this.#over && !this.#broken;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    checkParameters(query.parameters);
    return this.#run(() => execute<Row>(this.#client, query));
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error("Streaming would keep a read open while others write; page through the rows instead.");
  }

  async keepJob(): Promise<void> {
    await this.#exec("RELEASE SAVEPOINT job; SAVEPOINT job");
  }

  async undoJob(): Promise<void> {
    await this.#exec("ROLLBACK TO SAVEPOINT job");
  }

  async commit(): Promise<void> {
    const { command } = await this.#exec("COMMIT");
    this.#release();
    // PostgreSQL answers so, without an error, when a statement of the transaction had failed.
    if (command !== "COMMIT") throw new StorageUnavailableError(`COMMIT was answered with ${command}.`);
  }

  async rollBack(): Promise<void> {
    if (this.#over) return;
    if (!this.#broken) await this.#exec("ROLLBACK").catch(() => (this.#broken = true));
    this.#release();
  }

  #exec(sql: string): Promise<PgResult> {
    return this.#run(() => this.#client.query(sql));
  }

  async #run<T>(query: () => Promise<T>): Promise<T> {
    const result = this.#before.then(query);
    this.#before = result.catch(() => {});
    try {
      return await result;
    } catch (error) {
      this.#broken ||= breaksConnection(error);
      throw toStorageError(error);
    }
  }

  readonly #lost = (): void => {
    this.#broken = true;
  };

  #release(): void {
    this.#over = true;
    this.#client.off("error", this.#lost);
    this.#client.release(this.#broken);
  }
}

/** One connection that is used by itself for as long as it takes: no statement on it is given up. */
export class SingleConnection implements DatabaseConnection {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
    // The next query tells that the connection is lost; without a listener the process would end.
    client.on("error", () => {});
  }

  /** @throws StorageUnavailableError */
  static async open(url: string): Promise<SingleConnection> {
    const client = new Client({
      connectionString: url,
      application_name: "page-service",
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      keepAlive: true,
      types: { getTypeParser },
    });
    const connection = new SingleConnection(client);
    await connection.#run(() => client.connect());
    return connection;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#run(() => execute<Row>(this.#client, query));
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error("Page through the rows instead.");
  }

  /** Runs SQL without parameters and results, such as BEGIN and COMMIT. */
  async exec(sql: string): Promise<void> {
    await this.#run(() => this.#client.query(sql));
  }

  /** Closes the connection, and never throws. */
  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toStorageError(error);
    }
  }
}

/** The result of a query; errors are those of `pg`. */
async function execute<Row>(client: ClientBase, query: CompiledQuery): Promise<QueryResult<Row>> {
  const { rows, rowCount } = await client.query({
    ...(isPrepared(query) ? { name: query.name } : {}),
    text: query.sql,
    values: [...query.parameters],
  });
  return {
    // pg knows nothing of the row type; Kysely derived it from the query.
    rows: rows as Row[],
    ...(rowCount === null ? {} : { numAffectedRows: BigInt(rowCount) }),
  };
}
