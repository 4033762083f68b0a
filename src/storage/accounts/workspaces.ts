import { sql, type Kysely } from "kysely";
import type { Plan } from "../../domain/limits.js";
import { PRIMARY_KEYS, type Tables, type WorkspacesTable } from "../tables.js";
import { deleteTexts } from "../text-index.js";

/** A workspace, which owns databases and keys and has a rate limit. */
export interface Workspace {
  readonly id: string;
  /** Unique on this service. */
  readonly name: string;
  readonly plan: Plan;
  /** Requests per minute agreed with an enterprise workspace, or null. */
  readonly ownLimit: number | null;
  /** Milliseconds since 1970. */
  readonly createdTime: number;
}

/** Finds the workspace of an exact name. */
export async function findWorkspaceByName(db: Kysely<Tables>, name: string): Promise<Workspace | undefined> {
  const row = await db.selectFrom("workspaces").selectAll().where("name", "=", name).executeTakeFirst();
  return row === undefined ? undefined : toWorkspace(row);
}

/** Lists all workspaces, oldest first. */
export async function listWorkspaces(db: Kysely<Tables>): Promise<Workspace[]> {
  const rows = await db.selectFrom("workspaces").selectAll().orderBy("created_time").orderBy("id").execute();
  return rows.map(toWorkspace);
}

/** Whether there is any workspace. */
export async function hasWorkspaces(db: Kysely<Tables>): Promise<boolean> {
  const row = await db.selectFrom("workspaces").select("id").limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Inserts a workspace. */
export async function insertWorkspace(tx: Kysely<Tables>, workspace: Workspace): Promise<void> {
  await tx
    .insertInto("workspaces")
    .values({
      id: workspace.id,
      name: workspace.name,
      plan: workspace.plan,
      request_limit: workspace.ownLimit,
      created_time: workspace.createdTime,
    })
    .execute();
}

/** Changes the plan of a workspace, with its own limit of requests per minute or null. */
export async function setWorkspacePlan(
  tx: Kysely<Tables>,
  workspaceId: string,
  plan: Plan,
  ownLimit: number | null,
): Promise<void> {
  await tx
    .updateTable("workspaces")
    .set({ plan, request_limit: ownLimit })
    .where("id", "=", workspaceId)
    .execute();
}

/** Renames a workspace. */
export async function setWorkspaceName(tx: Kysely<Tables>, workspaceId: string, name: string): Promise<void> {
  await tx.updateTable("workspaces").set({ name }).where("id", "=", workspaceId).execute();
}

/** Deletes a workspace with everything in it. Accounts of its members remain. */
export async function deleteWorkspace(tx: Kysely<Tables>, workspaceId: string): Promise<void> {
  await deleteTexts(tx, workspaceId);
  await tx.deleteFrom("sessions").where("workspace_id", "=", workspaceId).execute();
  for (const [table, key] of Object.entries(PRIMARY_KEYS).reverse()) {
    if (key[0] !== "workspace_id") continue;
    await sql`delete from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(tx);
  }
  await tx.deleteFrom("workspaces").where("id", "=", workspaceId).execute();
}

function toWorkspace(row: WorkspacesTable): Workspace {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    ownLimit: row.request_limit,
    createdTime: row.created_time,
  };
}
