import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { Pool } from "pg";
import { openPostgres } from "./dialect.js";
import { StorageUnavailableError } from "./errors.js";
import { migratePostgres } from "./migrations/index.js";
import { openPool, PoolConnection, PostgresTransaction } from "./postgres.js";
import type { Tables } from "./tables.js";
import { WriteQueue } from "./write-queue.js";

/** Connections of a process at most. Reads have their own, so that none waits for writes that wait for a lock. */
const READERS = 5;
const WRITERS = 5;

/** Milliseconds after which the database counts as unreadable for /readyz. */
const PING_TIMEOUT = 2000;

/** Whether a location is the address of a PostgreSQL database. */
export function isPostgresUrl(location: string): boolean {
  return /^postgres(ql)?:\/\//i.test(location);
}

/** See openStore. */
export async function openPostgresStore(url: string, onCommit?: (writes: number) => void) {
  await migratePostgres(url);
  const readers = openPool(url, { max: READERS, readOnly: true });
  const writers = openPool(url, { max: WRITERS, readOnly: false });
  const read = openPostgres<Tables>(new PoolConnection(readers));
  // By workspace, those that have something to write: what is of different ones need not wait for each other.
  const queues = new Map<string, WriteQueue>();
  let closing: Promise<void> | undefined;

  const queueOf = (workspaceId: string): WriteQueue => {
    const known = queues.get(workspaceId);
    if (known !== undefined) return known;
    const lock = lockOf(workspaceId);
    const queue = new WriteQueue(
      {
        begin: () => PostgresTransaction.begin(writers, lock),
        openKysely: openPostgres<Tables>,
        committed: onCommit,
      },
      () => queues.delete(workspaceId),
    );
    queues.set(workspaceId, queue);
    return queue;
  };

  return {
    read,
    scan: read,
    async write<T>(job: (tx: Kysely<Tables>) => Promise<T>, workspaceId?: string | null): Promise<T> {
      if (closing !== undefined) throw new StorageUnavailableError("The database is closed.");
      return queueOf(workspaceId ?? "").write(job);
    },
    // Nothing but a read would tell.
    stateOf: () => undefined,
    stats() {
      const of = (use: "read" | "write", { totalCount, idleCount, waitingCount }: Pool) => {
        return { use, open: totalCount, idle: idleCount, waiting: waitingCount };
      };
      const writesWaiting = [...queues.values()].reduce((sum, queue) => sum + queue.waiting, 0);
      return { writesWaiting, connections: [of("read", readers), of("write", writers)] };
    },
    async ping() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        const error = new StorageUnavailableError("PostgreSQL does not answer.");
        timer = setTimeout(reject, PING_TIMEOUT, error);
      });
      const answer = read.selectFrom("workspaces").select("id").limit(1).execute();
      await Promise.race([answer, late]).finally(() => clearTimeout(timer));
    },
    close() {
      closing ??= (async () => {
        await Promise.all([...queues.values()].map((queue) => queue.close()));
        await Promise.all([readers.end(), writers.end()]);
      })();
      return closing;
    },
  };
}

/** The number of the advisory lock of a workspace. Two that share one by chance merely wait for each other. */
function lockOf(workspaceId: string): bigint {
  return createHash("sha256").update(`page-service write ${workspaceId}`).digest().readBigInt64BE();
}
