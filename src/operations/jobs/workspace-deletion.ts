import { setTimeout as sleep } from "node:timers/promises";
import { deleteWorkspaceRows } from "../../storage/accounts/workspaces.js";
import type { Store } from "../../storage/engine/store.js";
import { advanceJob, type Job } from "../../storage/jobs.js";

/** Pause between two transactions. */
const PAUSE_MS = 20;

/**
 * Deletes the rows of a workspace.
 *
 * @param isStopped returns true when no further transaction should begin
 * @returns when they are deleted, or another process does it
 */
export async function finishWorkspaceDeletion(
  store: Store,
  job: Job,
  isStopped = () => false,
): Promise<void> {
  const { workspaceId } = job;
  let isOver = false;
  while (!isOver && !isStopped()) {
    isOver = await store.write(async (tx) => {
      const { count, isDeleted } = await deleteWorkspaceRows(tx, workspaceId);
      return isDeleted || !(await advanceJob(tx, job, count));
    }, workspaceId);
    // Other processes that wait for the lock of a SQLite file ask for it every few milliseconds.
    await sleep(PAUSE_MS);
  }
}
