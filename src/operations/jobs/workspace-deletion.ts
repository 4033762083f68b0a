import { setTimeout as sleep } from "node:timers/promises";
import { deleteWorkspaceRows } from "../../storage/accounts/workspaces.js";
import type { Store } from "../../storage/engine/store.js";
import { recordJobProgress, type Job } from "../../storage/jobs.js";

/** Pause between two transactions. */
const PAUSE_MS = 20;

/**
 * Deletes the rows of a workspace.
 *
 * @param isStopped returns true when no further transaction should begin
 * @returns a promise that resolves when they are deleted, or another process has taken over the job
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
      return isDeleted || !(await recordJobProgress(tx, job, count));
    }, workspaceId);
    // Lets other processes write, which poll for the lock of a SQLite file every few milliseconds.
    await sleep(PAUSE_MS);
  }
}
