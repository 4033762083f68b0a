import { createNotFoundError } from "../../domain/errors.js";
import { type StoredObject, createAncestorInTrashError } from "../../domain/stored-object.js";
import { isBeingDeleted } from "../../storage/trash/trash-roots.js";
import { isInTrash, type ObjectRef } from "../../storage/objects/objects.js";
import { startTrashMove } from "../jobs/trash-move.js";
import type { WriteScope } from "../execution/scope.js";

/**
 * Moves an object to the trash or restores it, with everything in it. Returns false if it was there already; otherwise the caller
 * must read it again. Throws a DomainError: (validation) to restore an object whose parent is in the trash, (not_found) to restore
 * one that a job is deleting, or (conflict) during another move, see startTrashMove.
 */
export async function setInTrash(
  scope: WriteScope,
  kind: ObjectRef["kind"],
  object: StoredObject,
  inTrash: boolean,
): Promise<boolean> {
  if (object.inTrash === inTrash) return false;
  if (!inTrash) {
    // Pages and databases are blocks of their parents too.
    if (await isBeingDeleted(scope, object)) throw createNotFoundError("block", object.id);
    const isTrashRoot = object.trashRoot === object.id;
    const hasTrashedAncestor = !isTrashRoot || (await isInTrash(scope, object.parent));
    if (hasTrashedAncestor) throw createAncestorInTrashError();
  }
  await startTrashMove(scope, { id: object.id, kind, parent: object.parent }, inTrash);
  return true;
}
