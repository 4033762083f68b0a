import { type AuditEvent, findAuditEvents } from "../storage/accounts/audit.js";
import type { Store } from "../storage/engine/store.js";
import { requireWorkspace } from "./plans.js";

export type { AuditEvent };

/** Lists the newest entries of a workspace's log, newest first. */
export function listAuditEvents(store: Store, workspaceId: string, limit: number): Promise<AuditEvent[]> {
  return findAuditEvents({ db: store.read, workspaceId }, limit);
}

/** Does the same for the workspace with a name. Throws a UserError when there is none. */
export async function listWorkspaceAuditEvents(
  store: Store,
  workspaceName: string,
  limit: number,
): Promise<AuditEvent[]> {
  return listAuditEvents(store, (await requireWorkspace(store.read, workspaceName)).id, limit);
}
