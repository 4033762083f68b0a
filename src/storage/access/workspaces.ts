import { sql, type SqlBool } from "kysely";
import type { Plan } from "../../domain/plans.js";
import type { AccessTables } from "./tables.js";
import { type Entity, toSnakeCase } from "../column-names.js";
import { hasRows } from "../sql-helpers.js";
import type { Db, StorageScope } from "../tables.js";

/** The condition that a workspace `w` is not hidden. A hidden workspace is being deleted or imported, and has its id as name. */
export const IS_VISIBLE = sql<SqlBool>`w.name <> w.id`;

/** A workspace. It has its own pages, databases, users and keys, and one rate limit for all its keys. */
export interface Workspace extends Entity<
  Pick<AccessTables["workspaces"], "id" | "name" | "plan" | "created_time">
> {
  /** Requests per minute agreed with an enterprise workspace, or null. */
  readonly customRequestLimit: number | null;
}

export type ListedWorkspace = Workspace & { readonly storedBytes: number };

/** Finds a visible workspace; undefined if none has the name. */
export async function findWorkspaceByName(db: Db, name: string): Promise<Workspace | undefined> {
  return selectVisibleWorkspaces(db).where("name", "=", name).limit(1).executeTakeFirst();
}

/** Finds the visible workspaces with a name or an id: two if one has the name and another one the id. */
export function findWorkspacesByNameOrId(db: Db, name: string, id: string): Promise<Workspace[]> {
  return selectVisibleWorkspaces(db)
    .where((eb) => eb.or([eb("name", "=", name), eb("id", "=", id)]))
    .execute();
}

/** Reads all visible workspaces, oldest first. */
export async function findWorkspaces(db: Db): Promise<ListedWorkspace[]> {
  return selectVisibleWorkspaces(db)
    .select((eb) => eb("counted_bytes", "+", eb.ref("written_bytes")).as("storedBytes"))
    .execute();
}

/** Finds the oldest visible workspace; undefined without any. */
export async function findOldestWorkspace(db: Db): Promise<Workspace | undefined> {
  return selectVisibleWorkspaces(db).limit(1).executeTakeFirst();
}

/** Whether a workspace exists and is visible. */
export async function hasVisibleWorkspace({ db, workspaceId }: StorageScope): Promise<boolean> {
  return hasRows(selectVisibleWorkspaces(db).where("id", "=", workspaceId));
}

export async function hasWorkspaces(db: Db): Promise<boolean> {
  return hasRows(db.selectFrom("workspaces").select("id"));
}

/** Inserts a workspace, whose name must be free. */
export async function insertWorkspace(tx: Db, workspace: Workspace): Promise<void> {
  const { customRequestLimit, ...columns } = workspace;
  const row = { ...toSnakeCase(columns), request_limit: customRequestLimit };
  await tx.insertInto("workspaces").values(row).execute();
}

/** Sets the plan of a workspace, and its custom limit of requests per minute, which is null for most workspaces. */
export async function setWorkspacePlan(
  scope: StorageScope,
  plan: Plan,
  customRequestLimit: number | null,
): Promise<void> {
  await updateWorkspace(scope).set({ plan, request_limit: customRequestLimit }).execute();
}

export async function setWorkspaceName(scope: StorageScope, name: string): Promise<void> {
  await updateWorkspace(scope).set({ name }).execute();
}

/** Begins an UPDATE of the row of a workspace. */
export function updateWorkspace({ db, workspaceId }: StorageScope) {
  return db.updateTable("workspaces").where("id", "=", workspaceId);
}

function selectVisibleWorkspaces(db: Db) {
  return db
    .selectFrom("workspaces as w")
    .select(["id", "name", "plan", "request_limit as customRequestLimit", "created_time as createdTime"])
    .where(IS_VISIBLE)
    .orderBy("created_time")
    .orderBy("id");
}
