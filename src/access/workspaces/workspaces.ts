import { parseId } from "../../domain/ids.js";
import { insertAuditEvent } from "../../storage/access/audit.js";
import {
  findWorkspaceByName,
  findWorkspaces,
  findWorkspacesByNameOrId,
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

/** Finds a workspace by its name or id. Throws a UserError when one has the text as its name, and another one as its id. */
export async function findWorkspace(db: Db, nameOrId: string): Promise<Workspace | undefined> {
  const found = await findWorkspacesByNameOrId(db, nameOrId, parseId(nameOrId) ?? nameOrId);
  if (found.length > 1) {
    const list = found.map(({ id, name }) => `"${name}" (${id})`).join(", ");
    throw new UserError(
      `Several workspaces match "${nameOrId}": ${list}. Use a name or an id that only one of them has.`,
    );
  }
  return found[0];
}

/** Finds a workspace by its name or id, see findWorkspace. Throws a UserError when there is none. */
export async function requireWorkspace(db: Db, nameOrId: string): Promise<Workspace> {
  const workspace = await findWorkspace(db, nameOrId);
  if (workspace === undefined) {
    throw new UserError(
      `There is no workspace "${nameOrId}". Run \`page-service workspaces list\` to see all names and ids.`,
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

/** Changes the plan of a workspace, see choosePlan and requireWorkspace. */
export function setPlan(
  store: Store,
  nameOrId: string,
  plan: string,
  limit: number | undefined,
): Promise<Workspace> {
  return store.writeServiceWide(async (tx) => {
    const workspace = await requireWorkspace(tx, nameOrId);
    return changePlan(tx, workspace, choosePlan({ plan, limit }, workspace));
  });
}

/** Renames a workspace, see requireWorkspace. Throws a UserError when the new name is invalid or in use. */
export async function renameWorkspace(store: Store, nameOrId: string, newName: string): Promise<Workspace> {
  checkName("workspace", newName);
  return store.writeServiceWide(async (tx) => {
    const workspace = await requireWorkspace(tx, nameOrId);
    if (await findWorkspaceByName(tx, newName)) throw createNameInUseError(newName);
    const scope = { db: tx, workspaceId: workspace.id };
    await setWorkspaceName(scope, newName);
    const { id: subjectId, name: subjectName } = workspace;
    const entry = { action: "workspace.renamed", subjectId, subjectName } as const;
    await insertAuditEvent(scope, OPERATOR, { ...entry, detail: `to ${newName}` });
    return { ...workspace, name: newName };
  });
}

/**
 * Starts to delete a workspace with all its rows, but not the accounts of its members. Its keys stop working at once. The
 * returned job deletes the rows; if this process ends before the job, a running service continues it. Throws as requireWorkspace does.
 */
export function startWorkspaceDeletion(
  store: Store,
  nameOrId: string,
): Promise<{ readonly workspace: Workspace; readonly job: Job }> {
  return store.writeServiceWide(async (tx) => {
    const workspace = await requireWorkspace(tx, nameOrId);
    const scope = { db: tx, workspaceId: workspace.id };
    await prepareWorkspaceDeletion(scope);
    const job = await insertJob(scope, { kind: "delete_workspace", objectId: workspace.id });
    return { workspace, job };
  });
}

/** Lists the newest entries of a workspace's audit log, newest first. Throws as requireWorkspace does. */
export async function listWorkspaceAuditEvents(
  store: Store,
  nameOrId: string,
  limit: number,
): Promise<AuditEvent[]> {
  return listAuditEvents(store, (await requireWorkspace(store.read, nameOrId)).id, limit);
}

function createNameInUseError(name: string): UserError {
  return new UserError(`There is a workspace "${name}" already. Choose another name.`);
}
