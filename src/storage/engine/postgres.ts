import type { CompiledQuery, QueryResult } from "kysely";
import { Pool, types, type ClientBase, type PoolClient, type PoolConfig } from "pg";
import {
  CONNECT_TIMEOUT_MS,
  LOCK_TIMEOUT_MS,
  MAX_WAITING_FOR_CONNECTION,
  SCAN_TIMEOUT_MS,
  STATEMENT_RESULT_TIMEOUT_MS,
  STATEMENT_TIMEOUT_MS,
} from "../../budgets.js";
import { isPrepared } from "./compile-once.js";
import { requireRead, type Connection } from "./dialect.js";
import { BusyError } from "../../errors.js";
import { assertSupportedParameters } from "./parameters.js";
import { breaksConnection, mapPostgresError } from "./postgres-errors.js";
import { runInterruptibly } from "./scans.js";

// Object ids of PostgreSQL's types.
const BIGINT = 20;
const NUMERIC = 1700;

/** Parses integers and sums as numbers, as Kysely's types declare. All of ours are below 2^53. */
function getTypeParser(oid: number, format?: "text" | "binary"): (text: string) => unknown {
  return oid === BIGINT || oid === NUMERIC ? Number : types.getTypeParser(oid, format);
}

/** Settings for requests: no JIT, which can take a second per query, no parallel workers, and no incremental sorts, see DECISIONS.md. */
const SETTINGS = "SET jit = off; SET max_parallel_workers_per_gather = 0; SET enable_incremental_sort = off";
const READ_ONLY = "SET default_transaction_read_only = on";

/** Opens a pool for requests, of at most `max` connections. With `readOnly` the server refuses writes. */
export function openPool(url: string, { max, readOnly }: { max: number; readOnly: boolean }): Pool {
  return openPoolWithoutTimeouts(url, {
    max,
    query_timeout: STATEMENT_RESULT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    // A process that hangs or has lost its network must not keep a workspace locked.
    idle_in_transaction_session_timeout: STATEMENT_RESULT_TIMEOUT_MS,
    onConnect: (client) => client.query(readOnly ? `${SETTINGS}; ${READ_ONLY}` : SETTINGS),
  });
}

/** Removes the timeouts that the operator has set for the database or the user. Which of them exist depends on the server's version. */
const REMOVE_TIMEOUTS = `SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN
  ('statement_timeout', 'transaction_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`;

/** Matches the values of `sslmode` that `pg` treats as verify-full, with a warning that its next version verifies less. */
const VERIFYING_SSL_MODE = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g;

/** Replaces these values by verify-full, unless the user chose those of libpq. */
function setExplicitSslMode(url: string): string {
  return url.includes("uselibpqcompat=true") ? url : url.replace(VERIFYING_SSL_MODE, "$1verify-full");
}

/** Opens a pool whose statements can take any time, for migrations, exports and imports. Connects on demand. */
export function openPoolWithoutTimeouts(url: string, options: PoolConfig): Pool {
  const pool = new Pool({
    connectionString: setExplicitSslMode(url),
    application_name: "page-service",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
    onConnect: (client) => client.query(REMOVE_TIMEOUTS),
    ...options,
  });
  // The next query reports a lost connection. Without a listener the process would end.
  const ignore = (): void => {};
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
  return pool;
}

/** Acquires a connection of a pool. Throws a BusyError when too many wait for one, or a StorageUnavailableError. */
export async function connect(pool: Pool): Promise<PoolClient> {
  if (pool.waitingCount >= MAX_WAITING_FOR_CONNECTION) {
    throw new BusyError("Too many requests are waiting for the database. Send this request again later.");
  }
  try {
    return await pool.connect();
  } catch (error) {
    throw mapPostgresError(error);
  }
}

/** Creates a connection that runs each SELECT on any free connection of a pool. */
export function createPoolConnection(pool: Pool): Connection {
  return {
    async executeQuery<Row>(query: CompiledQuery) {
      requireRead(query);
      assertSupportedParameters(query.parameters);
      const client = await connect(pool);
      let isBroken = false;
      try {
        return await execute<Row>(client, query);
      } catch (error) {
        isBroken = breaksConnection(error);
        throw mapPostgresError(error);
      } finally {
        client.release(isBroken);
      }
    },
  };
}

/** Runs a SELECT that can read many rows. At the time limit, or when `signal` is aborted, a statement of `cancelPool` cancels it. */
export async function runScan<Row>(
  pool: Pool,
  cancelPool: Pool,
  query: CompiledQuery,
  signal?: AbortSignal,
  timeoutMs = SCAN_TIMEOUT_MS,
): Promise<QueryResult<Row>> {
  const client = await connect(pool);
  let mustClose = false;
  const cancel = (): void => {
    // Closed, because a late cancellation would end the next statement of the connection.
    mustClose = true;
    // Safe cast: pg sets the member, but its types lack it. When this statement fails, the statement timeout remains.
    const { processID } = client as PoolClient & { processID: number };
    cancelPool.query("SELECT pg_cancel_backend($1)", [processID]).catch(() => {});
  };
  const select = async (): Promise<QueryResult<Row>> => {
    try {
      return await execute<Row>(client, query);
    } catch (error) {
      mustClose ||= breaksConnection(error);
      throw mapPostgresError(error);
    }
  };
  try {
    return await runInterruptibly(select, cancel, timeoutMs, signal ? [signal] : []);
  } finally {
    client.release(mustClose);
  }
}

/** Executes a query. Throws the errors of `pg` unchanged. */
export async function execute<Row>(client: ClientBase, query: CompiledQuery): Promise<QueryResult<Row>> {
  const { rows, rowCount } = await client.query({
    ...(isPrepared(query) ? { name: query.name } : {}),
    text: query.sql,
    values: [...query.parameters],
  });
  return {
    // Safe cast: Kysely derived the row type from the query.
    rows: rows as Row[],
    ...(rowCount === null ? {} : { numAffectedRows: BigInt(rowCount) }),
  };
}
