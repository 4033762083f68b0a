import { hasVisibleWorkspace } from "../../storage/access/workspaces.js";
import type { StorageScope } from "../../storage/tables.js";

/** Whether the workspace of a scope exists. False while it is being deleted. */
export function doesWorkspaceExist(scope: StorageScope): Promise<boolean> {
  return hasVisibleWorkspace(scope);
}
