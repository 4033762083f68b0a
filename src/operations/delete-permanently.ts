import { MAX_LINK_TITLE_LENGTH } from "../budgets.js";
import { createNotFoundError, createValidationError } from "../domain/errors.js";
import { formatTitle } from "../domain/text.js";
import { type Actor, insertAuditEvent } from "../storage/access/audit.js";
import { findTitledObjects, type TitledObject } from "../storage/objects/titles.js";
import { isBeingDeleted } from "../storage/trash/trash-roots.js";
import { startDeletion } from "./jobs/permanent-deletion.js";
import type { Scope, WriteScope } from "./execution/scope.js";

export type DeletableObject = Pick<TitledObject, "id" | "kind" | "title">;

/** Deletes an object in the trash, and logs it. Returns false if a job deletes the rest. Throws a DomainError, see requireDeletable. */
export async function deletePermanently(scope: WriteScope, id: string, actor: Actor): Promise<boolean> {
  const { kind, title } = await requireDeletable(scope, id);
  await insertAuditEvent(scope, actor, { action: `${kind}.deleted`, subjectId: id, subjectName: title });
  return startDeletion(scope, id);
}

/**
 * Reads a page or database that was moved to the trash by itself. Throws a DomainError: (not_found) when it does not exist or a
 * job is deleting it, or (validation) when it is not in the trash, or was moved there together with an object that contains it.
 */
export async function requireDeletable(scope: Scope, id: string): Promise<DeletableObject> {
  const object = (await findTitledObjects(scope, { pages: [id], databases: [id] })).get(id);
  if (object === undefined || (await isBeingDeleted(scope, object)))
    throw createNotFoundError("page or database", id);
  if (object.trashRoot !== id) {
    throw createValidationError("Only pages and databases that the trash lists can be deleted permanently.");
  }
  return { id, kind: object.kind, title: formatTitle(object.title, MAX_LINK_TITLE_LENGTH) };
}
