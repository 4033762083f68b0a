import { deleteWorkspaceRows } from "../../storage/delete-workspace-rows.js";
import type { JobType } from "./run-batch.js";

/** Deletes the rows of a workspace. */
export const WORKSPACE_DELETION: JobType<"continue"> = {
  isForeground: false,
  async runBatch(scope) {
    const { count, isDeleted } = await deleteWorkspaceRows(scope);
    return { doneCount: count, nextState: isDeleted ? null : "continue" };
  },
};
