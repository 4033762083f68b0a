import { type AuditEvent, listAuditEvents } from "../storage/accounts/audit.js";
import type { Store } from "../storage/engine/store.js";
import { requireWorkspace } from "./plans.js";

export type { AuditEvent };

/** Lists the newest entries of a workspace's log, newest first. */
export function readLog(store: Store, workspaceId: string, limit: number): Promise<AuditEvent[]> {
  return listAuditEvents(store.read, workspaceId, limit);
}

/**
 * Lists the newest entries of a workspace's log, found by the workspace's name.
 *
 * @throws UserError when no workspace has the name.
 */
export async function readNamedLog(
  store: Store,
  workspaceName: string,
  limit: number,
): Promise<AuditEvent[]> {
  return readLog(store, (await requireWorkspace(store.read, workspaceName)).id, limit);
}
