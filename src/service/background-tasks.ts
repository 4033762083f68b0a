import type { Logger } from "pino";
import { CLEANUP_BATCH_ROWS, CLEANUP_INTERVAL_MS, MAX_CLEANED_WORKSPACES } from "../budgets.js";
import { type TaskControl, runDueJobs } from "../operations/jobs/run-due-jobs.js";
import { deleteExpiredInvitations } from "../storage/access/invitations.js";
import { deleteExpiredRequestCounts } from "../storage/access/request-counts.js";
import { deleteExpiredSessions } from "../storage/access/sessions.js";
import { deleteExpiredResponses, findWorkspacesWithExpiredResponses } from "../storage/idempotency.js";
import type { Store } from "../storage/engine/store.js";
import { countDueWorkspaces, COUNT_INTERVAL_MS } from "../operations/count-storage.js";

/** Interval between searches for jobs that no process runs: background jobs, and jobs whose process has ended. */
const JOBS_INTERVAL_MS = 3000;

type Task = (control: TaskControl) => Promise<void>;

/** Starts all background tasks. Returns a function that stops them after their current batches. */
export function startBackgroundTasks(store: Store, logger: Logger): () => Promise<void> {
  const start = (failure: string, intervalMs: number, task: Task): (() => Promise<void>) =>
    startPeriodicTask(task, intervalMs, (error) => logger.error({ err: error }, failure));
  const stops = [
    start("interrupted job failed", JOBS_INTERVAL_MS, (control) =>
      runDueJobs(store, { isForeground: true, ...control }),
    ),
    start("background job failed", JOBS_INTERVAL_MS, (control) =>
      runDueJobs(store, { isForeground: false, ...control }),
    ),
    start("cleanup failed", CLEANUP_INTERVAL_MS, async (control) => {
      for (const deleteExpired of [
        deleteExpiredSessions,
        deleteExpiredRequestCounts,
        deleteExpiredInvitations,
      ]) {
        await deleteInBatches(store, deleteExpired, control.isStopped);
      }
      await deleteStoredResponses(store, control);
    }),
    start("count of stored bytes failed", COUNT_INTERVAL_MS, (control) => countDueWorkspaces(store, control)),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Runs a task at once and then in intervals, but never twice at the same time. After a failure, the next run tries again. */
function startPeriodicTask(
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
    running ??= task({ isStopped: () => stopped, onError: report })
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

/** Deletes expired responses of idempotent writes in short batches. Workspaces take turns, so that none delays the others. */
async function deleteStoredResponses(store: Store, { isStopped, onError }: TaskControl): Promise<void> {
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

/** Deletes the expired rows of a table, of all workspaces, in short batches. `deleteExpired` returns how many rows it deleted. */
async function deleteInBatches(
  store: Store,
  deleteExpired: typeof deleteExpiredInvitations,
  isStopped: () => boolean,
): Promise<void> {
  let deletedCount = CLEANUP_BATCH_ROWS;
  while (deletedCount === CLEANUP_BATCH_ROWS && !isStopped()) {
    deletedCount = await store.writeWithoutInvalidation((tx) =>
      deleteExpired(tx, Date.now(), CLEANUP_BATCH_ROWS),
    );
  }
}
