import { setTimeout as sleep } from "node:timers/promises";
import { JOB_TURN_WAIT_MS, MAX_CONCURRENT_JOBS } from "../../budgets.js";
import { FairQueue } from "../../queues/fair-queue.js";
import type { Store } from "../../storage/engine/store.js";
import { findDueJobs, type Job, takeOverJob } from "../../storage/jobs.js";
import type { JobHandler } from "./job-handler.js";
import { listJobKinds, runJob } from "./run-job.js";

/** Interval between searches for further jobs while some run. */
const SEARCH_INTERVAL_MS = 1000;

/** Pause after a job that has failed. If it failed before it had the lease, it is due again at once. */
const RETRY_DELAY_MS = 1000;

/** Control of a task that runs in the background, in batches. */
export interface TaskControl {
  /** Whether the task should stop before its next batch. */
  isStopped(): boolean;
  /** Called with an error after which the task continues. It repeats what has failed later. */
  onError(error: unknown): void;
}

/**
 * Takes over jobs that no process runs, one of each workspace, until none are due: foreground jobs whose process has ended, or background
 * jobs, for which those must not wait. Workspaces take turns after each batch. A job that fails is due again when its lease has ended.
 */
export async function runDueJobs(
  store: Store,
  { isForeground, isStopped, onError }: TaskControl & Pick<JobHandler<unknown>, "isForeground">,
): Promise<void> {
  const limits = { slots: 1, slotsPerTenant: 1, maxWaitingPerTenant: 1, maxWaitMs: JOB_TURN_WAIT_MS };
  const turns = new FairQueue(limits);
  const awaitTurn = (workspaceId: string) => turns.acquire(workspaceId);
  const running = new Map<string, Promise<void>>();
  const start = async (due: Job): Promise<void> => {
    try {
      const job = await store.write(due.workspaceId, (scope) => takeOverJob(scope, due));
      if (job !== undefined) await runJob(store, job, { isStopped, awaitTurn });
    } catch (error) {
      onError(error);
      await sleep(RETRY_DELAY_MS);
    } finally {
      running.delete(due.workspaceId);
    }
  };
  for (;;) {
    const freeCount = isStopped() ? 0 : MAX_CONCURRENT_JOBS - running.size;
    const search = findDueJobs(store.read, listJobKinds({ isForeground }), freeCount, [...running.keys()]);
    // After a failed search, the jobs in progress continue, and are awaited.
    const dueJobs = await search.catch(onError);
    for (const due of dueJobs ?? []) {
      running.set(due.workspaceId, start(due));
    }
    if (running.size === 0) return;
    await Promise.race([...running.values(), sleep(SEARCH_INTERVAL_MS, undefined, { ref: false })]);
  }
}
