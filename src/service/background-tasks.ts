import type { Logger } from "pino";
import { CLEANUP_BATCH_ROWS, CLEANUP_INTERVAL_MS, MAX_CLEANED_WORKSPACES } from "../budgets.js";
import { runInterruptedJobs, runRemovals } from "../operations/jobs/run-due-jobs.js";
import { deleteExpiredResponses, findWorkspacesWithExpiredResponses } from "../storage/idempotency.js";
import type { Store } from "../storage/engine/store.js";
import { countDueWorkspaces, COUNT_INTERVAL_MS } from "../operations/jobs/count-storage.js";

/** Interval between searches for jobs that no process runs, for example because their process has crashed. */
const JOBS_INTERVAL_MS = 3000;

/**
 * A task that runs periodically. It ends after the batch in progress when `isStopped` returns true, and calls `onError` with
 * errors after which it continues.
 */
type Task = (store: Store, isStopped: () => boolean, onError: (error: unknown) => void) => Promise<void>;

/**
 * Starts the periodic tasks: jobs that no process runs, the cleanup of expired rows, and the count of stored bytes.
 * Returns a function that stops them, and resolves when the batches in progress are complete.
 */
export function startBackgroundTasks(store: Store, logger: Logger): () => Promise<void> {
  const tasks: readonly (readonly [task: Task, intervalMs: number, failure: string])[] = [
    [runInterruptedJobs, JOBS_INTERVAL_MS, "background job failed"],
    [runRemovals, JOBS_INTERVAL_MS, "background job failed"],
    [deleteExpiredRows, CLEANUP_INTERVAL_MS, "cleanup failed"],
    [
      (_store, isStopped) => countDueWorkspaces(store, isStopped),
      COUNT_INTERVAL_MS,
      "count of stored bytes failed",
    ],
  ];
  const stops = tasks.map(([task, intervalMs, failure]) =>
    startPeriodicTask(store, task, intervalMs, (error) => logger.error({ err: error }, failure)),
  );
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Runs a task at once and then in intervals, but never twice at the same time. After a failure, the next run tries again. */
function startPeriodicTask(
  store: Store,
  task: Task,
  intervalMs: number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> | undefined;
  const report = (error: unknown): void => {
    if (!stopped) onError(error);
  };
  const run = (): void => {
    running ??= task(store, () => stopped, report)
      .catch(report)
      .finally(() => (running = undefined));
  };
  run();
  const timer = setInterval(run, intervalMs).unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}

/**
 * Deletes the expired responses of idempotent writes in batches, so that other writes do not wait for long. Workspaces take turns,
 * so that one with many responses does not delay the others.
 */
async function deleteExpiredRows(
  store: Store,
  isStopped: () => boolean,
  onError: (error: unknown) => void,
): Promise<void> {
  let workspaceIds = await findWorkspacesWithExpiredResponses(store.read, Date.now(), MAX_CLEANED_WORKSPACES);
  while (workspaceIds.length > 0) {
    const unfinishedIds: string[] = [];
    for (const workspaceId of workspaceIds) {
      if (isStopped()) return;
      const deletedCount = await store
        .write(workspaceId, (scope) => deleteExpiredResponses(scope, Date.now(), CLEANUP_BATCH_ROWS))
        // The other workspaces do not wait for one whose writes fail.
        .catch(onError);
      if (deletedCount === CLEANUP_BATCH_ROWS) unfinishedIds.push(workspaceId);
    }
    workspaceIds = unfinishedIds;
  }
}
