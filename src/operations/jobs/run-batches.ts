import { setTimeout as sleep } from "node:timers/promises";
import type { Release } from "../../fair-queue.js";
import type { Store } from "../../storage/engine/store.js";
import { deleteJob, type Job, recordJobProgress, releaseJob } from "../../storage/jobs.js";
import type { StorageScope } from "../../storage/tables.js";

export interface BatchResult<State> {
  /** Number of objects that the batch has finished. */
  readonly doneCount: number;
  /** State for the next batch; null when the job is done. */
  readonly nextState: State | null;
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
 * stopped, or another process has taken it over. Deletes the job when it is done. A job that a request waits for has no
 * background options.
 */
export async function runBatches<State>(
  store: Store,
  job: Job,
  initialState: State,
  runBatch: (scope: StorageScope, state: State) => Promise<BatchResult<State>>,
  background?: BackgroundOptions,
): Promise<void> {
  let state: State | null = initialState;
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
        const { doneCount, nextState } = await runBatch(scope, current);
        if (nextState === null) await deleteJob(scope, job.id);
        else await recordJobProgress(scope, job, doneCount);
        return nextState;
      });
      if (background !== undefined) await sleep(PAUSE_MS);
    } finally {
      endTurn?.();
    }
  }
}
