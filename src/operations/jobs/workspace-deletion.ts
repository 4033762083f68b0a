import { deleteWorkspaceRows } from "../../storage/workspace-deletion.js";
import type { Store } from "../../storage/engine/store.js";
import type { Job } from "../../storage/jobs.js";
import type { StorageScope } from "../../storage/tables.js";
import { type Batch, runBatches } from "./run-batches.js";

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
  const deleteBatch = async (scope: StorageScope): Promise<Batch<undefined>> => {
    const { count, isDeleted } = await deleteWorkspaceRows(scope);
    return { count, next: isDeleted ? null : undefined };
  };
  await runBatches(store, job, undefined, deleteBatch, isStopped);
}
