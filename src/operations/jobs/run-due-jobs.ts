import { setTimeout as sleep } from "node:timers/promises";
import { MAX_CONCURRENT_REMOVALS, MAX_INTERRUPTED_JOBS_PER_RUN, REMOVAL_WAIT_MS } from "../../budgets.js";
import { FairQueue } from "../../fair-queue.js";
import type { Store } from "../../storage/engine/store.js";
import { findDueJobs, type Job, takeOverJob } from "../../storage/jobs.js";
import { finishMirroring } from "./mirror-links.js";
import { abandonConversion } from "../conversion/large-conversion.js";
import { continueDeletion } from "./permanent-deletion.js";
import type { BackgroundOptions } from "./run-batches.js";
import { resumeMove } from "./tree-moves.js";
import { removeValues } from "./value-removal.js";
import { finishWorkspaceDeletion } from "./workspace-deletion.js";

/** Interval between searches for further removals while some run. */
const SEARCH_INTERVAL_MS = 1000;

/** Pause after a removal that has failed. If it failed before it had the lease, it is due again at once. */
const RETRY_DELAY_MS = 1000;

/**
 * Takes over the jobs of ended processes, except removals: finishes moves and mirrored links, and undoes conversions. Removals
 * run separately, so that these jobs do not wait for them.
 */
export async function runInterruptedJobs(store: Store, isStopped: () => boolean): Promise<void> {
  for (const due of await findDueJobs(store.read, { removals: false }, MAX_INTERRUPTED_JOBS_PER_RUN)) {
    if (isStopped()) return;
    await runJob(store, due, { isStopped });
  }
}

/**
 * Runs removals until none are due: jobs that delete the values of removed properties, and permanently deleted objects and
 * workspaces. Runs one job of a workspace at a time. Several workspaces take turns after each batch, so that a workspace with
 * many or long removals does not delay the others.
 *
 * @param onError called with the error of a job, which is due again when its lease has ended, or of a search for jobs
 */
export async function runRemovals(
  store: Store,
  isStopped: () => boolean,
  onError: (error: unknown) => void,
): Promise<void> {
  const limits = { slots: 1, slotsPerTenant: 1, maxWaitingPerTenant: 1, maxWaitMs: REMOVAL_WAIT_MS };
  const turns = new FairQueue(limits);
  const background: BackgroundOptions = { isStopped, awaitTurn: (workspaceId) => turns.acquire(workspaceId) };
  const running = new Map<string, Promise<void>>();
  const start = async (due: Job): Promise<void> => {
    try {
      await runJob(store, due, background);
    } catch (error) {
      onError(error);
      await sleep(RETRY_DELAY_MS);
    } finally {
      running.delete(due.workspaceId);
    }
  };
  for (;;) {
    const freeCount = isStopped() ? 0 : MAX_CONCURRENT_REMOVALS - running.size;
    const search = findDueJobs(store.read, { removals: true }, freeCount, [...running.keys()]);
    // After a failed search, the removals in progress continue, and are awaited.
    const dueJobs = await search.catch(onError);
    for (const due of dueJobs ?? []) {
      running.set(due.workspaceId, start(due));
    }
    if (running.size === 0) return;
    await Promise.race([...running.values(), sleep(SEARCH_INTERVAL_MS, undefined, { ref: false })]);
  }
}

/** Takes over a job whose lease has ended. Finishes the job, or undoes a conversion. */
async function runJob(store: Store, due: Job, background: BackgroundOptions): Promise<void> {
  const job = await store.write(due.workspaceId, async (scope) => {
    const takenJob = await takeOverJob(scope, due);
    if (takenJob?.kind === "convert_values") await abandonConversion(scope, takenJob);
    return takenJob;
  });
  if (job === undefined) return;
  switch (job.kind) {
    case "convert_values":
      // Undone already. The request that needed the conversion has ended with its process.
      return;
    case "mirror_links":
      return finishMirroring(store, job);
    case "move_to_trash":
    case "restore":
      return resumeMove(store, job);
    case "delete_workspace":
      return finishWorkspaceDeletion(store, job, background);
    case "remove_values":
      return removeValues(store, job, background);
    case "delete_permanently":
    case "empty_trash":
      return continueDeletion(store, job, background);
    default:
      return job.kind satisfies never;
  }
}
