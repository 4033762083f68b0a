import { setTimeout as sleep } from "node:timers/promises";
import type { Release } from "../../fair-queue.js";
import type { Store } from "../../storage/engine/store.js";
import { deleteJob, type Job, recordJobProgress, releaseJob } from "../../storage/jobs.js";
import type { StorageScope } from "../../storage/tables.js";

export interface BatchResult<State> {
  /** Number of objects that the batch has finished. */
  readonly count: number;
  /** Argument of the next batch; null when the job is done. */
  readonly next: State | null;
}

/** Options of a job that no request waits for. */
export interface BackgroundOptions {
  /** Whether the job should stop before its next batch, so that any process can take it over. */
  isStopped(): boolean;
  /** Waits until the workspace may run a batch, and returns the function that ends its turn. */
  awaitTurn?(workspaceId: string): Promise<Release>;
}

/** Pause after each batch of a background job, in which other processes can get the lock of a SQLite file. */
const PAUSE_MS = 20;

/**
 * Runs a job in batches. Each batch is a transaction, which also renews the lease of the job. Ends when the job is done or
 * stopped, or another process has taken it over. Deletes the job when it is done.
 *
 * @param start state that the first batch gets; each batch returns the state for the next one
 * @param background omitted for a job that a request waits for
 */
export async function runBatches<State>(
  store: Store,
  job: Job,
  start: State,
  runBatch: (scope: StorageScope, state: State) => Promise<BatchResult<State>>,
  background?: BackgroundOptions,
): Promise<void> {
  let state: State | null = start;
  while (state !== null) {
    const current: State = state;
    const endTurn = await background?.awaitTurn?.(job.workspaceId);
    try {
      const mustStop = background?.isStopped() === true;
      state = await store.write(job.workspaceId, async (scope) => {
        if (mustStop) {
          await releaseJob(scope, job);
          return null;
        }
        const isOwner = await recordJobProgress(scope, job, 0);
        if (!isOwner) return null;
        const { count, next } = await runBatch(scope, current);
        if (next === null) await deleteJob(scope, job.id);
        else await recordJobProgress(scope, job, count);
        return next;
      });
      if (background !== undefined) await sleep(PAUSE_MS);
    } finally {
      endTurn?.();
    }
  }
}
