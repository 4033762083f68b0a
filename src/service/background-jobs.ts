import { runDueJobs } from "../operations/jobs/run-due-jobs.js";
import type { Store } from "../storage/engine/store.js";

/** Interval between searches for jobs that no process runs. */
const INTERVAL_MS = 3000;

/**
 * Starts the background runner of jobs that no process runs: the removal of old values, and jobs of processes that have
 * ended.
 *
 * @param report receives the error of a failed run; the next run tries again
 * @returns A function that stops after the batch in progress.
 */
export function startBackgroundJobs(store: Store, report: (error: unknown) => void): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> | undefined;
  const run = (): void => {
    running ??= runDueJobs(store, () => stopped)
      .catch((error: unknown) => {
        if (!stopped) report(error);
      })
      .finally(() => (running = undefined));
  };
  run();
  const timer = setInterval(run, INTERVAL_MS);
  timer.unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}
