import { insertAuditEvent } from "../storage/accounts/audit.js";
import {
  deleteWorkspace as deleteStoredWorkspace,
  findWorkspaceByName,
  listWorkspaces as listStoredWorkspaces,
  setWorkspaceName,
  type Workspace,
} from "../storage/accounts/workspaces.js";
import type { Store } from "../storage/engine/store.js";
import { checkName, UserError } from "./checks.js";
import { OPERATOR } from "./keys.js";
import { requireWorkspace } from "./plans.js";

/** Lists all workspaces, oldest first. */
export function listWorkspaces(store: Store): Promise<Workspace[]> {
  return listStoredWorkspaces(store.read);
}

/**
 * Renames a workspace and logs it.
 *
 * @throws UserError when there is no such workspace, or the new name is not acceptable or in use.
 */
export async function renameWorkspace(store: Store, name: string, newName: string): Promise<Workspace> {
  checkName("workspace", newName);
  return store.write(async (tx) => {
    const workspace = await requireWorkspace(tx, name);
    if (await findWorkspaceByName(tx, newName)) throw nameInUse(newName);
    await setWorkspaceName(tx, workspace.id, newName);
    const entry = {
      action: "workspace.renamed",
      subjectId: workspace.id,
      subjectName: name,
      detail: `to ${newName}`,
    };
    await insertAuditEvent(tx, workspace.id, OPERATOR, entry, Date.now());
    return { ...workspace, name: newName };
  });
}

/**
 * Deletes a workspace with all pages, databases, keys and memberships. Accounts of its members remain.
 *
 * @throws UserError when there is no such workspace.
 */
export async function deleteWorkspace(store: Store, name: string): Promise<Workspace> {
  const { id } = await requireWorkspace(store.read, name);
  return store.write(async (tx) => {
    const workspace = await requireWorkspace(tx, name);
    await deleteStoredWorkspace(tx, workspace.id);
    return workspace;
  }, id);
}

/** The error for a workspace name that is in use. */
export function nameInUse(name: string): UserError {
  return new UserError(`There is a workspace "${name}" already. Choose another name.`, "name");
}
