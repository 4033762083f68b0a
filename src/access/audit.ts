import { type AuditEvent, findAuditEvents } from "../storage/accounts/audit.js";
import type { Store } from "../storage/engine/store.js";
import { requireWorkspace } from "./require-workspace.js";

export type { AuditEvent };

/** Lists the newest entries of a workspace's audit log, newest first. */
export function listAuditEvents(store: Store, workspaceId: string, limit: number): Promise<AuditEvent[]> {
  return findAuditEvents({ db: store.read, workspaceId }, limit);
}

/** Lists the newest entries of the workspace with the given name. Throws a UserError when no workspace has this name. */
export async function listWorkspaceAuditEvents(
  store: Store,
  workspaceName: string,
  limit: number,
): Promise<AuditEvent[]> {
  return listAuditEvents(store, (await requireWorkspace(store.read, workspaceName)).id, limit);
}
