import { deleteWorkspaceRows } from "../../storage/delete-workspace-rows.js";
import type { Store } from "../../storage/engine/store.js";
import type { Job } from "../../storage/jobs.js";
import type { StorageScope } from "../../storage/tables.js";
import { type BackgroundOptions, type BatchResult, runBatches } from "./run-batches.js";

/** Deletes the rows of a workspace in batches, see runBatches. */
export async function finishWorkspaceDeletion(
  store: Store,
  job: Job,
  background: BackgroundOptions = { isStopped: () => false },
): Promise<void> {
  const deleteBatch = async (scope: StorageScope): Promise<BatchResult<undefined>> => {
    const { count, isDeleted } = await deleteWorkspaceRows(scope);
    return { doneCount: count, nextState: isDeleted ? null : undefined };
  };
  await runBatches(store, job, undefined, deleteBatch, background);
}
