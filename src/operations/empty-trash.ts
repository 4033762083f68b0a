import { type Actor, insertAuditEvent } from "../storage/access/audit.js";
import { chooseDeletionTime, findTrashRoots } from "../storage/trash/trash-roots.js";
import { extendTrashDeletion } from "../storage/jobs.js";
import { startDeletion } from "./jobs/permanent-deletion.js";
import type { WriteScope } from "./execution/scope.js";

/** Deletes everything in the trash, and records it in the audit log. Returns false if a job deletes the rest. */
export async function emptyTrash(scope: WriteScope, actor: Actor): Promise<boolean> {
  const { workspaceId, principal } = scope;
  const time = await chooseDeletionTime(scope, scope.edit.time);
  if ((await findTrashRoots(scope, time, 1)).length === 0) return true;
  // Not a job and an audit event for each form, because forms do not count against the rate limit of the workspace.
  if (await extendTrashDeletion(scope, time)) return false;
  await insertAuditEvent(scope, actor, {
    action: "trash.emptied",
    subjectId: workspaceId,
    subjectName: principal.workspaceName,
  });
  return startDeletion(scope, undefined, time);
}
