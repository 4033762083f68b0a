import { sql } from "kysely";
import type { Plan } from "../../domain/limits.js";
import { PRIMARY_KEYS, type Db } from "../tables.js";
import { deleteFirstTrigrams } from "../text-index.js";

/** Time after which a transaction of a workspace deletion deletes no further rows. */
const MAX_DELETION_MS = 50;

/** Rows that one statement deletes: each can have megabytes. */
const MAX_DELETED_ROWS = 50;

/** Pages that one transaction deletes from the text index. Bounded, because FTS5 delays the COMMIT the more, the more are deleted. */
const MAX_DELETED_TEXTS = 200;

/** A workspace, which owns databases and keys and has a rate limit. */
export interface Workspace {
  readonly id: string;
  /** Unique on this service. Replaced by the id while the workspace is being deleted. */
  readonly name: string;
  readonly plan: Plan;
  /** Requests per minute agreed with an enterprise workspace, or null. */
  readonly customRequestLimit: number | null;
  /** Milliseconds since 1970. */
  readonly createdTime: number;
}

/** A workspace with an upper bound of the bytes that it stores. */
export type ListedWorkspace = Workspace & { readonly storedBytes: number };

/** Finds the workspace with exactly this name. */
export async function findWorkspaceByName(db: Db, name: string): Promise<Workspace | undefined> {
  return selectWorkspaces(db).where("name", "=", name).executeTakeFirst();
}

/** Lists all workspaces that are not being deleted, oldest first. */
export async function listWorkspaces(db: Db): Promise<ListedWorkspace[]> {
  return selectWorkspaces(db)
    .select((row) => row("counted_bytes", "+", row.ref("written_bytes")).as("storedBytes"))
    .whereRef("name", "!=", "id")
    .orderBy("created_time")
    .orderBy("id")
    .execute();
}

/** Whether there is any workspace. */
export async function hasWorkspaces(db: Db): Promise<boolean> {
  const row = await db.selectFrom("workspaces").select("id").limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Inserts a workspace. */
export async function insertWorkspace(tx: Db, workspace: Workspace): Promise<void> {
  await tx
    .insertInto("workspaces")
    .values({
      id: workspace.id,
      name: workspace.name,
      plan: workspace.plan,
      request_limit: workspace.customRequestLimit,
      created_time: workspace.createdTime,
    })
    .execute();
}

/** Changes the plan of a workspace, with its own limit of requests per minute or null. */
export async function setWorkspacePlan(
  tx: Db,
  workspaceId: string,
  plan: Plan,
  customRequestLimit: number | null,
): Promise<void> {
  await tx
    .updateTable("workspaces")
    .set({ plan, request_limit: customRequestLimit })
    .where("id", "=", workspaceId)
    .execute();
}

/** Renames a workspace. */
export async function setWorkspaceName(tx: Db, workspaceId: string, name: string): Promise<void> {
  await tx.updateTable("workspaces").set({ name }).where("id", "=", workspaceId).execute();
}

/**
 * Ends all access to a workspace, and its jobs, before its rows are deleted. Replaces its name by its id, so that the name
 * can be used again.
 */
export async function closeWorkspace(tx: Db, workspaceId: string): Promise<void> {
  for (const table of ["api_keys", "sessions", "invitations", "members", "jobs"] as const) {
    await tx.deleteFrom(table).where("workspace_id", "=", workspaceId).execute();
  }
  await setWorkspaceName(tx, workspaceId, workspaceId);
}

/**
 * Deletes rows of a closed workspace for at most MAX_DELETION_MS. Deletes the workspace itself with its jobs when no other
 * rows are left. Accounts of its members remain.
 *
 * @returns the number of deleted rows, and whether the workspace is deleted
 */
export async function deleteWorkspaceRows(
  tx: Db,
  workspaceId: string,
): Promise<{ readonly count: number; readonly isDeleted: boolean }> {
  const deadline = performance.now() + MAX_DELETION_MS;
  let count = 0;
  let texts = 0;
  for (const [table, key] of Object.entries(PRIMARY_KEYS).reverse()) {
    if (key[0] !== "workspace_id" || table === "jobs") continue;
    let deleted: number;
    do {
      if (performance.now() > deadline || texts >= MAX_DELETED_TEXTS) return { count, isDeleted: false };
      if (table === "page_texts") await deleteFirstTrigrams(tx, workspaceId, MAX_DELETED_ROWS);
      deleted = await deleteRows(tx, workspaceId, table, key);
      count += deleted;
      if (table === "page_texts") texts += deleted;
    } while (deleted === MAX_DELETED_ROWS);
  }
  await tx.deleteFrom("jobs").where("workspace_id", "=", workspaceId).execute();
  await tx.deleteFrom("workspaces").where("id", "=", workspaceId).execute();
  return { count, isDeleted: true };
}

async function deleteRows(
  tx: Db,
  workspaceId: string,
  table: string,
  key: readonly string[],
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where (${columns}) in
    (select ${columns} from ${sql.table(table)} where workspace_id = ${workspaceId}
      order by ${columns} limit ${MAX_DELETED_ROWS})
  `.execute(tx);
  return Number(numAffectedRows);
}

function selectWorkspaces(db: Db) {
  return db
    .selectFrom("workspaces")
    .select(["id", "name", "plan", "request_limit as customRequestLimit", "created_time as createdTime"]);
}
