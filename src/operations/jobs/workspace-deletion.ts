import { deleteWorkspaceRows } from "../../storage/delete-workspace-rows.js";
import type { JobHandler } from "./job-handler.js";

/** Deletes the rows of a workspace. */
export const WORKSPACE_DELETION: JobHandler<"continue"> = {
  isForeground: false,
  async runBatch(scope) {
    const { count, isDeleted } = await deleteWorkspaceRows(scope);
    return { doneCount: count, nextState: isDeleted ? null : "continue" };
  },
};
