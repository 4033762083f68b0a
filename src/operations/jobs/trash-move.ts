import {
  MAX_CHECKED_ANCESTORS,
  MAX_MOVED_BYTES,
  MAX_MOVED_OBJECTS,
  MAX_MOVES_PER_WORKSPACE,
} from "../../budgets.js";
import { DomainError } from "../../domain/errors.js";
import type { Parent, StoredObject } from "../../domain/stored-object.js";
import { findIdsOfMovedObjects, insertJob } from "../../storage/jobs.js";
import type { RowLimit } from "../../storage/row-limit.js";
import { moveContents, moveRoot } from "../../storage/trash/trash.js";
import type { ObjectGroup } from "../../storage/trash/walk-trees.js";
import { eachAncestorId, findObject, type ObjectRef } from "../../storage/objects/objects.js";
import { chooseTrashTime } from "../../storage/trash/trash-roots.js";
import type { WriteScope } from "../execution/scope.js";
import type { JobHandler } from "./job-handler.js";

const BATCH_LIMIT: RowLimit = { count: MAX_MOVED_OBJECTS, bytes: MAX_MOVED_BYTES };

/**
 * Moves an object to the trash or back with everything in it: the object itself and its first contents in this transaction, and
 * the others in batches after it. Throws a DomainError (conflict) while an ancestor or descendant of the object is being moved.
 */
export async function startTrashMove(
  scope: WriteScope,
  object: ObjectRef & Pick<StoredObject, "parent">,
  toTrash: boolean,
): Promise<void> {
  await refuseConflictingMove(scope, object);
  const { id, kind } = object;
  const move = { rootId: id, toTrash };
  const time = toTrash ? await chooseTrashTime(scope, scope.edit.time) : scope.edit.time;
  await moveRoot(scope, move, kind, { ...scope.edit, time });
  const { remainingGroups } = await moveContents(scope, move, [[{ id, kind }]], BATCH_LIMIT);
  if (remainingGroups.length === 0) return;
  const jobKind = toTrash ? "move_to_trash" : "restore";
  scope.jobs.push(await insertJob(scope, { kind: jobKind, objectId: id }));
}

async function refuseConflictingMove(
  scope: WriteScope,
  { id, parent }: Pick<StoredObject, "id" | "parent">,
): Promise<void> {
  const roots = await findIdsOfMovedObjects(scope, MAX_MOVES_PER_WORKSPACE);
  if (roots.length === 0) return;
  if (roots.length === MAX_MOVES_PER_WORKSPACE) throw createMoveConflictError();
  // Ancestors that are checked already. An object has one parent, so the ancestors above them are checked too.
  const checked = new Set<string>();
  const checkAncestors = async (from: Parent, isConflict: (ancestorId: string) => boolean): Promise<void> => {
    for await (const ancestorId of eachAncestorId(scope, from)) {
      if (checked.has(ancestorId)) return;
      if (isConflict(ancestorId) || checked.size === MAX_CHECKED_ANCESTORS) throw createMoveConflictError();
      checked.add(ancestorId);
    }
  };
  if (roots.includes(id)) throw createMoveConflictError();
  await checkAncestors(parent, (ancestorId) => roots.includes(ancestorId));
  for (const root of roots) {
    const rootParent = (await findObject(scope, root))?.parent;
    if (rootParent !== undefined) await checkAncestors(rootParent, (ancestorId) => ancestorId === id);
  }
}

/** Moves the contents of an object. The state is the groups of objects that earlier batches have left. */
export const TRASH_MOVE: JobHandler<readonly ObjectGroup[]> = {
  isForeground: true,
  async runBatch(scope, { kind, objectId }, groups) {
    const move = { rootId: objectId, toTrash: kind === "move_to_trash" };
    const root = groups === undefined ? await findObject(scope, objectId) : undefined;
    const current = groups ?? (root === undefined ? [] : [[root]]);
    const { remainingGroups, count } = await moveContents(scope, move, current, BATCH_LIMIT);
    return { doneCount: count, nextState: remainingGroups.length === 0 ? null : remainingGroups };
  },
};

function createMoveConflictError(): DomainError {
  return new DomainError(
    "conflict",
    "Another request is moving this object, or one that contains it or is in it, to the trash or back. Send this request again when that one is done.",
  );
}
