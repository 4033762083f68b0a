import type { Kysely } from "kysely";
import type { StoredObject } from "../domain/object.js";
import { archivedAncestorError } from "../domain/trash.js";
import type { Tables } from "./tables.js";
import { bringBack, isInTrash, moveToTrash } from "./trash.js";

/**
 * Puts an object into the trash, or brings it back, with all that is in it; nothing happens where it is there already.
 *
 * @param by The id of the user who does it.
 * @param now Milliseconds since 1970.
 * @returns whether something was changed; the object has to be read again then
 * @throws DomainError (validation) when it is to come back, but what it is in is in the trash
 */
export async function setInTrash(
  tx: Kysely<Tables>,
  workspaceId: string,
  object: StoredObject,
  inTrash: boolean,
  by: string,
  now: number,
): Promise<boolean> {
  if (object.inTrash === inTrash) return false;
  if (inTrash) {
    await moveToTrash(tx, workspaceId, object.id, by, now);
  } else {
    const alone = object.trashRoot === object.id && !(await isInTrash(tx, workspaceId, object.parent));
    if (!alone) throw archivedAncestorError();
    await bringBack(tx, workspaceId, object.id, by, now);
  }
  return true;
}
