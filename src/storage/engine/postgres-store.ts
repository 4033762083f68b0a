import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import {
  LONG_POSTGRES_WRITE_MS,
  LONG_WRITE_QUEUE,
  PING_TIMEOUT_MS,
  READ_CONNECTION_QUEUE,
  READ_CONNECTIONS,
  SCAN_CONNECTION_QUEUE,
  WRITE_CONNECTIONS,
} from "../../budgets.js";
import { openPostgres } from "./dialect.js";
import { LockTimeoutError, StorageUnavailableError } from "../../errors.js";
import { FairQueue } from "../../queues/fair-queue.js";
import { QueueSlot } from "../../queues/queue-slot.js";
import { getOrCreate } from "../../get-or-create.js";
import { sumBy } from "../../lists.js";
import { migratePostgres } from "./migrations/index.js";
import { createPoolConnection, openPool, runScan } from "./postgres.js";
import { PostgresTransaction } from "./postgres-transaction.js";
import { createScanConnection } from "./scans.js";
import type { OpenOptions, Store } from "./store.js";
import type { Db, Tables } from "../tables.js";
import type { TransactionSource } from "./transaction.js";
import { WriteQueue } from "./write-queue.js";
import { SERVICE_WIDE, WrittenBytes } from "./written-bytes.js";

/** Opens a PostgreSQL database, see openStore. */
export async function openPostgresStore(url: string, options: OpenOptions): Promise<Store> {
  await migratePostgres(url, options);
  const readers = openPool(url, { max: READ_CONNECTIONS, readOnly: true });
  const scanners = openPool(url, { max: SCAN_CONNECTION_QUEUE.slots, readOnly: true });
  const writers = openPool(url, { max: WRITE_CONNECTIONS, readOnly: false });
  // A separate connection, so that readiness checks and cancellations do not wait behind reads.
  const probe = openPool(url, { max: 1, readOnly: true });
  const read = openPostgres<Tables>(createPoolConnection(readers));
  const readSlots = new FairQueue(READ_CONNECTION_QUEUE);
  const scanSlots = new FairQueue(SCAN_CONNECTION_QUEUE);
  const writtenBytes = new WrittenBytes();
  const queues = createWorkspaceQueues(writers, writtenBytes, options.onCommit);
  let closing: Promise<void> | undefined;
  let pinging: Promise<void> | undefined;

  const enqueueWrite = async <T>(tenantId: string, callback: (tx: Db) => Promise<T>): Promise<T> => {
    if (closing !== undefined) throw new StorageUnavailableError("The database is closed.");
    return queues.getQueue(tenantId).write(callback, tenantId);
  };

  return {
    read,
    writtenBytes,
    readsInEventLoop: false,
    openScan: (workspaceId, options = {}) =>
      openPostgres<Tables>(
        createScanConnection(scanSlots, workspaceId, options, (query, signal) =>
          runScan(scanners, probe, query, signal),
        ),
      ),
    createReadSlot: (workspaceId) => new QueueSlot(readSlots, workspaceId),
    write: (workspaceId, callback) => enqueueWrite(workspaceId, (db) => callback({ db, workspaceId })),
    writeServiceWide: (callback) => enqueueWrite(SERVICE_WIDE, callback),
    writeWithoutInvalidation: (callback) => enqueueWrite(SERVICE_WIDE, callback),
    // Detecting a change would cost as much as a read.
    getGeneration: () => undefined,
    stats() {
      const connections = [
        getPoolStats("read", readers),
        getPoolStats("scan", scanners),
        getPoolStats("write", writers),
      ];
      return { writesWaiting: queues.countWaiting(), connections };
    },
    releaseMemory() {
      // PostgreSQL caches pages in its own processes.
    },
    async ping() {
      if (closing !== undefined) throw new StorageUnavailableError("The database is closed.");
      // Shared, because anybody can send readiness checks, whose reads would wait for each other until they fail.
      pinging ??= ping(probe).finally(() => (pinging = undefined));
      await pinging;
    },
    close() {
      closing ??= (async () => {
        await queues.close();
        await Promise.all([readers.end(), scanners.end(), writers.end(), probe.end()]);
      })();
      return closing;
    },
  };
}

/** Creates the write queues of workspaces with waiting writes. Writes of different workspaces do not wait for each other. */
function createWorkspaceQueues(
  writers: Pool,
  writtenBytes: WrittenBytes,
  onCommit: ((writes: number) => void) | undefined,
) {
  const queues = new Map<string, WriteQueue>();
  const longTenants = new Map<string, number>();
  const longWriteSlots = new FairQueue(LONG_WRITE_QUEUE);
  const createQueue = (workspaceId: string): WriteQueue => {
    // In READ COMMITTED, statements see everything that was committed before the lock was acquired.
    const begin = "BEGIN ISOLATION LEVEL READ COMMITTED";
    const lock = `SELECT pg_advisory_xact_lock(${computeLockId(workspaceId)})`;
    const source: TransactionSource = {
      begin: async () => {
        if (!longTenants.has(workspaceId)) {
          const limitWait = `SET LOCAL lock_timeout = ${LONG_POSTGRES_WRITE_MS}`;
          const statements = [begin, limitWait, lock, "SET LOCAL lock_timeout TO DEFAULT"];
          const transaction = await PostgresTransaction.begin(writers, statements.join("; ")).catch(
            ignoreLockTimeout,
          );
          if (transaction !== undefined) return transaction;
        }
        // A long wait for the lock of another process takes a connection, as a long write does.
        const release = await longWriteSlots.acquire(workspaceId);
        return PostgresTransaction.begin(writers, `${begin}; ${lock}`, release);
      },
      longWriteMs: LONG_POSTGRES_WRITE_MS,
      longTenants,
      hasWaitingTransactions: () => writers.waitingCount > 0 || longWriteSlots.hasWaiting,
      openKysely: openPostgres<Tables>,
      onCommit,
      onWrite: (tenantId, bytes) => writtenBytes.add(tenantId, bytes),
    };
    return new WriteQueue(source, () => queues.delete(workspaceId));
  };
  return {
    getQueue: (workspaceId: string) => getOrCreate(queues, workspaceId, () => createQueue(workspaceId)),
    countWaiting: () => sumBy(queues.values(), ({ waiting }) => waiting),
    close: () => Promise.all([...queues.values()].map((queue) => queue.close())),
  };
}

function getPoolStats(use: "read" | "scan" | "write", { totalCount, idleCount, waitingCount }: Pool) {
  return { use, open: totalCount, idle: idleCount, waiting: waitingCount };
}

/** Reads a row. Throws a StorageUnavailableError after PING_TIMEOUT_MS. */
async function ping(probe: Pool): Promise<void> {
  const timeout = sleep(PING_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new StorageUnavailableError("PostgreSQL does not respond.");
  });
  await Promise.race([probe.query("SELECT id FROM workspaces LIMIT 1"), timeout]);
}

function ignoreLockTimeout(error: unknown): undefined {
  if (!(error instanceof LockTimeoutError)) throw error;
}

/** Computes the id of a workspace's advisory lock. A hash collision only makes two workspaces wait for each other. */
function computeLockId(workspaceId: string): bigint {
  return createHash("sha256").update(`page-service write ${workspaceId}`).digest().readBigInt64BE();
}
