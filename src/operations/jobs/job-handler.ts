import type { Store } from "../../storage/engine/store.js";
import { deleteJob, type Job, recordJobProgress, renewLease } from "../../storage/jobs.js";
import type { StorageScope } from "../../storage/tables.js";

/** The work of a kind of job. Each run of a job begins without a state, and passes the result of a batch to the next one. */
export interface JobHandler<State> {
  /** Whether the request that starts a job waits for its end. No request waits for a background job, which deletes hidden data. */
  readonly isForeground: boolean;
  /** Time after the first finished object after which a run stops, so that waiting jobs can start. By default, none. */
  readonly yieldAfterMs?: number;
  /** Does a part of the work in one transaction. */
  runBatch(scope: StorageScope, job: Job, state: State | undefined): Promise<BatchResult<State>>;
}

export interface BatchResult<State> {
  /** Number of objects that the batch has finished. */
  readonly doneCount: number;
  /** State for the next batch; null when the job is done. */
  readonly nextState: State | null;
}

/** Runs a batch of a job in a transaction, and renews its lease or deletes the job. Returns undefined if it was taken over. */
export function commitBatch<Result extends BatchResult<unknown>>(
  store: Store,
  job: Job,
  run: (scope: StorageScope) => Promise<Result>,
): Promise<Result | undefined> {
  return store.write(job.workspaceId, async (scope) => {
    const isOwner = await renewLease(scope, job);
    if (!isOwner) return undefined;
    const result = await run(scope);
    if (result.nextState === null) await deleteJob(scope, job.id);
    else await recordJobProgress(scope, job, result.doneCount);
    return result;
  });
}
