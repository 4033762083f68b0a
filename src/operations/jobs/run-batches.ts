import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../storage/engine/store.js";
import { deleteJob, type Job, recordJobProgress, releaseJob } from "../../storage/jobs.js";
import type { StorageScope } from "../../storage/tables.js";

/** The result of one batch of a job. */
export interface Batch<State> {
  /** Number of objects that the batch has finished. */
  readonly count: number;
  /** The state that the next batch continues with; null when the job is done. */
  readonly next: State | null;
}

/**
 * Pause after each batch of a background job. It is not urgent, and other processes poll for the lock of a SQLite file every
 * few milliseconds.
 */
const PAUSE_MS = 20;

/**
 * Runs a job in batches, each in a transaction that renews the lease of the job. Deletes the job when it is done.
 *
 * @param start the state that the first batch begins with
 * @param isStopped only for a background job: returns true when no further batch should begin, so that any process can take
 *   over the job
 * @returns a promise that resolves when the job is done or stopped, or another process has taken it over
 */
export async function runBatches<State>(
  store: Store,
  job: Job,
  start: State,
  runBatch: (scope: StorageScope, state: State) => Promise<Batch<State>>,
  isStopped?: () => boolean,
): Promise<void> {
  let state: State | null = start;
  while (state !== null) {
    const current: State = state;
    const mustStop = isStopped?.() === true;
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
    if (isStopped !== undefined) await sleep(PAUSE_MS);
  }
}
