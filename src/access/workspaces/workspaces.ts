import { insertAuditEvent } from "../../storage/access/audit.js";
import {
  findWorkspaceByName,
  findWorkspaces,
  type ListedWorkspace,
  setWorkspaceName,
  type Workspace,
} from "../../storage/access/workspaces.js";
import { prepareWorkspaceDeletion } from "../../storage/delete-workspace-rows.js";
import type { Store } from "../../storage/engine/store.js";
import { insertJob, type Job } from "../../storage/jobs.js";
import type { Db } from "../../storage/tables.js";
import { type AuditEvent, listAuditEvents, OPERATOR } from "../audit.js";
import { checkName } from "../checks.js";
import { UserError } from "../../errors.js";
import { addRootDatabase, addWorkspace } from "./new-workspace.js";
import { changePlan, choosePlan } from "./plans.js";

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

export function listWorkspaces(store: Store): Promise<ListedWorkspace[]> {
  return findWorkspaces(store.read);
}

/** Creates a workspace with a database "Pages" and no key. Throws a UserError for an invalid or used name, plan or limit. */
export function createWorkspace(
  store: Store,
  name: string,
  plan?: string,
  limit?: number,
): Promise<Workspace> {
  return store.writeServiceWide(async (tx) => {
    checkName("workspace", name);
    if (await findWorkspaceByName(tx, name)) throw createNameInUseError(name);
    const workspace = await addWorkspace(tx, name, choosePlan({ plan, limit }));
    await addRootDatabase({ db: tx, workspaceId: workspace.id });
    return workspace;
  });
}

/** Changes the plan of the workspace with the given name, see choosePlan. Throws a UserError when no workspace has the name. */
export function setPlan(
  store: Store,
  workspaceName: string,
  plan: string,
  limit: number | undefined,
): Promise<Workspace> {
  return store.writeServiceWide(async (tx) => {
    const workspace = await requireWorkspace(tx, workspaceName);
    return changePlan(tx, workspace, choosePlan({ plan, limit }, workspace));
  });
}

/** Renames a workspace. Throws a UserError when no workspace has the name, or the new name is invalid or in use. */
export async function renameWorkspace(store: Store, name: string, newName: string): Promise<Workspace> {
  checkName("workspace", newName);
  return store.writeServiceWide(async (tx) => {
    const workspace = await requireWorkspace(tx, name);
    if (await findWorkspaceByName(tx, newName)) throw createNameInUseError(newName);
    const scope = { db: tx, workspaceId: workspace.id };
    await setWorkspaceName(scope, newName);
    const entry = { action: "workspace.renamed", subjectId: workspace.id, subjectName: name } as const;
    await insertAuditEvent(scope, OPERATOR, { ...entry, detail: `to ${newName}` });
    return { ...workspace, name: newName };
  });
}

/**
 * Starts to delete a workspace with all its rows, but not the accounts of its members. Its keys stop working at once. The
 * returned job deletes the rows; if this process ends before the job, a running service continues it. Throws a UserError when
 * no workspace has the name.
 */
export function startWorkspaceDeletion(
  store: Store,
  name: string,
): Promise<{ readonly workspace: Workspace; readonly job: Job }> {
  return store.writeServiceWide(async (tx) => {
    const workspace = await requireWorkspace(tx, name);
    const scope = { db: tx, workspaceId: workspace.id };
    await prepareWorkspaceDeletion(scope);
    const job = await insertJob(scope, { kind: "delete_workspace", objectId: workspace.id });
    return { workspace, job };
  });
}

/** Lists the newest entries of a workspace's audit log, newest first. Throws a UserError when no workspace has the name. */
export async function listWorkspaceAuditEvents(
  store: Store,
  name: string,
  limit: number,
): Promise<AuditEvent[]> {
  return listAuditEvents(store, (await requireWorkspace(store.read, name)).id, limit);
}

function createNameInUseError(name: string): UserError {
  return new UserError(`There is a workspace "${name}" already. Choose another name.`);
}
