import type { Kysely } from "kysely";
import type { Plan } from "../domain/limits.js";
import type { Tables, WorkspacesTable } from "./tables.js";

/** A workspace: the owner of databases and keys, and what rate limits count for. */
export interface Workspace {
  readonly id: string;
  /** Unique on this service. */
  readonly name: string;
  readonly plan: Plan;
  /** Requests a minute agreed with an enterprise workspace, or null. */
  readonly ownLimit: number | null;
  /** Milliseconds since 1970. */
  readonly createdTime: number;
}

/** Reads the workspace of a name, which is compared letter by letter; undefined when there is none. */
export async function findWorkspaceByName(db: Kysely<Tables>, name: string): Promise<Workspace | undefined> {
  const row = await db.selectFrom("workspaces").selectAll().where("name", "=", name).executeTakeFirst();
  return row === undefined ? undefined : toWorkspace(row);
}

/** Lists all workspaces, oldest first. */
export async function listWorkspaces(db: Kysely<Tables>): Promise<Workspace[]> {
  const rows = await db.selectFrom("workspaces").selectAll().orderBy("created_time").orderBy("id").execute();
  return rows.map(toWorkspace);
}

/** Whether there is any workspace at all. */
export async function hasWorkspaces(db: Kysely<Tables>): Promise<boolean> {
  const row = await db.selectFrom("workspaces").select("id").limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Adds a workspace. */
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

/** Puts a workspace on a plan, with its own limit of requests a minute or null. */
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

function toWorkspace(row: WorkspacesTable): Workspace {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    ownLimit: row.request_limit,
    createdTime: row.created_time,
  };
}
