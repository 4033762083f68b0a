import { findWorkspaceByName, type Workspace } from "../storage/accounts/workspaces.js";
import type { Db } from "../storage/tables.js";
import { UserError } from "./errors.js";

/** Finds a workspace by its name. Throws a UserError when no workspace has it. */
export async function requireWorkspace(db: Db, name: string): Promise<Workspace> {
  const workspace = await findWorkspaceByName(db, name);
  if (workspace === undefined) {
    throw new UserError(
      `There is no workspace "${name}". Run \`page-service workspaces list\` to see all names.`,
    );
  }
  return workspace;
}
