import type { Parent } from "../../domain/stored-object.js";
import { toParent } from "./object-columns.js";
import type { Db, StorageScope } from "../tables.js";
import { selectFrom } from "../workspace-rows.js";

/* Reads of objects whose kind the caller does not know: pages, databases and blocks. */

/** Tables of objects, by the kind of the object, and by the type of a parent. */
export const TABLE_BY_KIND = { page: "pages", database: "databases", block: "blocks" } as const;
const TABLE_BY_PARENT_TYPE = { page_id: "pages", database_id: "databases", block_id: "blocks" } as const;
const OBJECT_TABLES = Object.values(TABLE_BY_KIND);

export type ObjectTable = (typeof OBJECT_TABLES)[number];

export interface ObjectRef {
  readonly id: string;
  readonly kind: "database" | "page" | "block";
}

/** Returns the kind of the object that a row of `blocks` belongs to. */
export function getObjectKind(blockType: string): ObjectRef["kind"] {
  if (blockType === "child_page") return "page";
  return blockType === "child_database" ? "database" : "block";
}

/** Reads the parent of an object and whether it is in the trash; undefined when the table has no such object. */
async function findObjectState(
  scope: StorageScope,
  table: ObjectTable,
  id: string,
): Promise<{ readonly parent: Parent; readonly isInTrash: boolean } | undefined> {
  const row = await selectFrom(scope, table)
    .select(["parent_type", "parent_id", "in_trash"])
    .where("id", "=", id)
    .limit(1)
    .executeTakeFirst();
  return row && { parent: toParent(row), isInTrash: row.in_trash === 1 };
}

/** Reads the ids of the ancestors of an object, its parent first. Their number is unlimited, so the caller must stop. */
export async function* eachAncestorId(scope: StorageScope, parent: Parent): AsyncGenerator<string> {
  let next: Parent | undefined = parent;
  while (next !== undefined && next.type !== "workspace") {
    yield next.id;
    next = (await findObjectState(scope, TABLE_BY_PARENT_TYPE[next.type], next.id))?.parent;
  }
}

/** Finds the kind and the parent of an object; undefined when the workspace has none with that id. */
export async function findObject(
  scope: StorageScope,
  id: string,
): Promise<(ObjectRef & { readonly parent: Parent }) | undefined> {
  // Blocks come last, because pages and databases inside of pages have a row there too.
  for (const kind of ["page", "database", "block"] as const) {
    const state = await findObjectState(scope, TABLE_BY_KIND[kind], id);
    if (state !== undefined) return { id, kind, parent: state.parent };
  }
  return undefined;
}

/** Finds the workspace of an object among some workspaces; undefined when none of them has the object. */
export async function findWorkspaceOfObject(
  db: Db,
  id: string,
  workspaceIds: readonly string[],
): Promise<string | undefined> {
  for (const table of OBJECT_TABLES) {
    const row = await db
      .selectFrom(table)
      .select("workspace_id")
      .where("workspace_id", "in", workspaceIds)
      .where("id", "=", id)
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) return row.workspace_id;
  }
  return undefined;
}

/** Whether a parent is in the trash. False for the workspace and for an unknown parent. */
export async function isInTrash(scope: StorageScope, parent: Parent): Promise<boolean> {
  if (parent.type === "workspace") return false;
  const state = await findObjectState(scope, TABLE_BY_PARENT_TYPE[parent.type], parent.id);
  return state?.isInTrash === true;
}
