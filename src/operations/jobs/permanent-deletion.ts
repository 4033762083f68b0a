import type { Store } from "../../storage/engine/store.js";
import { insertJob, type Job, NO_OWNER } from "../../storage/jobs.js";
import { deleteTrees, groupByKind, type ObjectGroup } from "../../storage/permanent-deletion.js";
import type { StorageScope } from "../../storage/tables.js";
import { findTrashRoots } from "../../storage/trash-roots.js";
import { findObject, type ObjectRef } from "../../storage/trash.js";
import type { WriteScope } from "../scope.js";
import { type Batch, runBatches } from "./run-batches.js";

/** Time from the first deletion after which a job gives way to others, which run one after another. */
const MAX_RUN_MS = 10_000;

/** Maximum number of trash roots that are read at once. */
const MAX_ROOTS = 50;

/**
 * Deletes a trash root with everything in it, or everything that is in the trash now. What is too much for this
 * transaction is left to a job, which any process runs within a few seconds.
 *
 * @param rootId undefined for the whole trash
 * @returns whether everything is deleted already
 */
export async function startDeletion(scope: WriteScope, rootId: string | undefined): Promise<boolean> {
  const deletion = {
    kind: rootId === undefined ? "empty_trash" : "delete_permanently",
    objectId: rootId ?? scope.workspaceId,
    createdTime: scope.edit.time,
  } as const;
  const { rest, count } = await deleteTrees(scope, groupByKind(await findRoots(scope, deletion)));
  if (rest.length === 0 && (await findRoots(scope, deletion)).length === 0) return true;
  await insertJob(scope, { ...deletion, doneCount: count, owner: NO_OWNER });
  return false;
}

/** Finds objects to delete, each with everything in it. There are none when the deletion is complete. */
async function findRoots(
  scope: StorageScope,
  { kind, objectId, createdTime }: Pick<Job, "kind" | "objectId" | "createdTime">,
): Promise<ObjectRef[]> {
  if (kind === "empty_trash") return findTrashRoots(scope, createdTime, MAX_ROOTS);
  const object = await findObject(scope, objectId);
  return object === undefined ? [] : [{ id: objectId, kind: object.kind }];
}

/**
 * Continues a deletion in batches, for MAX_RUN_MS from the first deleted object.
 *
 * @param isStopped returns true when no further batch should begin
 * @returns a promise that resolves when the deletion is complete, or any process can take over the job
 */
export async function continueDeletion(store: Store, job: Job, isStopped: () => boolean): Promise<void> {
  // Set with the first deletion, because the next run searches for the innermost objects again.
  let end = Infinity;
  const start: readonly ObjectGroup[] = [];
  const deleteBatch = async (
    scope: StorageScope,
    groups: readonly ObjectGroup[],
  ): Promise<Batch<typeof groups>> => {
    const current = groups.length > 0 ? groups : groupByKind(await findRoots(scope, job));
    const { rest, count } = await deleteTrees(scope, current);
    if (count > 0) end = Math.min(end, performance.now() + MAX_RUN_MS);
    return { count, next: current.length === 0 ? null : rest };
  };
  const mustStop = (): boolean => isStopped() || performance.now() > end;
  await runBatches(store, job, start, deleteBatch, mustStop);
}
