import { createNotFoundError } from "../../domain/errors.js";
import { type StoredObject, createArchivedAncestorError } from "../../domain/stored-object.js";
import { isBeingDeleted } from "../../storage/trash-roots.js";
import { isInTrash } from "../../storage/trash.js";
import { startMove } from "../jobs/tree-moves.js";
import type { WriteScope } from "../scope.js";

/**
 * Moves an object to the trash or restores it, with everything in it. Does nothing when it is already there. Returns
 * whether anything changed, so that the caller must read the object again. Throws a DomainError (validation) when the
 * object is to be restored but its parent is in the trash; (not_found) when a job deletes it permanently; (conflict) as
 * startMove does.
 */
export async function setInTrash(
  scope: WriteScope,
  object: StoredObject,
  inTrash: boolean,
): Promise<boolean> {
  if (object.inTrash === inTrash) return false;
  if (!inTrash) {
    if (await isBeingDeleted(scope, object)) throw createNotFoundError("block", object.id);
    const isTrashRoot = object.trashRoot === object.id;
    const isKeptByParent = !isTrashRoot || (await isInTrash(scope, object.parent));
    if (isKeptByParent) throw createArchivedAncestorError();
  }
  await startMove(scope, object, inTrash);
  return true;
}
