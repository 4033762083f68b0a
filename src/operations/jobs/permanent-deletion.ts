import { MAX_DELETION_RUN_MS, MAX_TRASH_ROOTS_PER_READ } from "../../budgets.js";
import { insertJob, type Job, NO_OWNER } from "../../storage/jobs.js";
import { deleteTrees } from "../../storage/trash/delete-trees.js";
import type { StorageScope } from "../../storage/tables.js";
import { findTrashRoots } from "../../storage/trash/trash-roots.js";
import { findObject, type ObjectRef } from "../../storage/objects/objects.js";
import { groupByKind, type ObjectGroup } from "../../storage/trash/walk-trees.js";
import type { WriteScope } from "../execution/scope.js";
import type { JobHandler } from "./job-handler.js";

/** Deletes a trash root, or without `rootId` all of them up to `createdTime`. Returns false if it inserted a job for the rest. */
export async function startDeletion(
  scope: WriteScope,
  rootId: string | undefined,
  createdTime = scope.edit.time,
): Promise<boolean> {
  const deletion = {
    kind: rootId === undefined ? "empty_trash" : "delete_permanently",
    objectId: rootId ?? scope.workspaceId,
    createdTime,
  } as const;
  const { count } = await deleteTrees(scope, groupByKind(await findRoots(scope, deletion)));
  if ((await findRoots(scope, deletion)).length === 0) return true;
  await insertJob(scope, { ...deletion, doneCount: count, owner: NO_OWNER });
  return false;
}

/** Finds the next trash roots to delete. Returns none when the deletion is complete. */
async function findRoots(
  scope: StorageScope,
  { kind, objectId, createdTime }: Pick<Job, "kind" | "objectId" | "createdTime">,
): Promise<ObjectRef[]> {
  if (kind === "empty_trash") return findTrashRoots(scope, createdTime, MAX_TRASH_ROOTS_PER_READ);
  const object = await findObject(scope, objectId);
  return object === undefined ? [] : [object];
}

/** Deletes trash roots with everything in them. The state is the groups that earlier batches have left. */
export const PERMANENT_DELETION: JobHandler<readonly ObjectGroup[]> = {
  isForeground: false,
  yieldAfterMs: MAX_DELETION_RUN_MS,
  async runBatch(scope, job, groups = []) {
    const current = groups.length > 0 ? groups : groupByKind(await findRoots(scope, job));
    const { remainingGroups, count } = await deleteTrees(scope, current);
    // An empty state makes the next batch search for further roots.
    return { doneCount: count, nextState: current.length === 0 ? null : remainingGroups };
  },
};
