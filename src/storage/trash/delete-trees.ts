import { sql } from "kysely";
import {
  DELETED_BYTES_SOFT_LIMIT,
  MAX_DELETED_OBJECTS_PER_STATEMENT,
  DELETED_PAGES_SOFT_LIMIT,
  DELETED_ROWS_SOFT_LIMIT,
  MAX_DELETED_ROWS_PER_STATEMENT,
} from "../../budgets.js";
import { getIds } from "../../lists.js";
import { subtractStoredBytes } from "../access/stored-bytes.js";
import { buildRowBytes } from "../row-sizes.js";
import { buildIsSelected } from "../sql-helpers.js";
import type { StorageScope } from "../tables.js";
import { deletePageTexts } from "../pages/text-index.js";
import { type ObjectTable, TABLE_BY_KIND } from "../objects/objects.js";
import { type ObjectGroup, walkTrees } from "./walk-trees.js";
import { deleteFrom } from "../workspace-rows.js";

/** Progress of a deletion in one transaction: the number of deleted objects, pages and rows. */
interface Progress {
  objects: number;
  pages: number;
  rows: number;
  /** Bytes of the deleted rows, as the storage limit counts them. */
  bytes: number;
}

/** Deletes objects with everything in them, up to the limits of a transaction. Returns the remaining groups, and the number deleted. */
export async function deleteTrees(
  scope: StorageScope,
  groups: readonly ObjectGroup[],
): Promise<{ readonly remainingGroups: readonly ObjectGroup[]; readonly count: number }> {
  const progress: Progress = { objects: 0, pages: 0, rows: 0, bytes: 0 };
  const remainingGroups = await walkTrees(scope, groups, {
    hasReachedLimit: () => hasReachedLimit(progress),
    async handle(group) {
      let rest = group;
      while (rest.length > 0 && !hasReachedLimit(progress)) {
        const part = rest.slice(0, MAX_DELETED_OBJECTS_PER_STATEMENT);
        if (!(await deleteObjects(scope, part, progress))) break;
        rest = rest.slice(part.length);
      }
      return rest;
    },
  });
  if (progress.bytes > 0) await subtractStoredBytes(scope, progress.bytes);
  return { remainingGroups, count: progress.objects };
}

/** Whether a transaction has reached a limit, so that the next one must continue the deletion. */
function hasReachedLimit({ pages, rows, bytes }: Progress): boolean {
  return (
    pages >= DELETED_PAGES_SOFT_LIMIT || rows >= DELETED_ROWS_SOFT_LIMIT || bytes >= DELETED_BYTES_SOFT_LIMIT
  );
}

function recordRows(progress: Progress, rows: readonly { readonly bytes: number }[]): void {
  progress.rows += rows.length;
  for (const { bytes } of rows) progress.bytes += bytes;
}

/** Deletes objects of one kind without contents, with their comments and values. Returns false when a limit is reached first. */
async function deleteObjects(
  scope: StorageScope,
  objects: ObjectGroup,
  progress: Progress,
): Promise<boolean> {
  const ids = getIds(objects);
  const kind = objects[0]?.kind ?? "block";
  if (!(await deleteDependentRows(scope, "comments", "parent_id", ids, progress))) return false;
  if (kind === "page") {
    for (const table of ["long_texts", "property_values"] as const) {
      if (!(await deleteDependentRows(scope, table, "page_id", ids, progress))) return false;
    }
    await deletePageTexts(scope, ids);
    await deleteFrom(scope, "pages_to_reconvert").where("page_id", "in", ids).execute();
    progress.pages += ids.length;
  }
  progress.objects += await deleteByIds(scope, TABLE_BY_KIND[kind], ids, progress);
  // Pages and databases inside of pages have a block too.
  if (kind !== "block") await deleteByIds(scope, "blocks", ids, progress);
  return true;
}

async function deleteByIds(
  scope: StorageScope,
  table: ObjectTable,
  ids: readonly string[],
  progress: Progress,
): Promise<number> {
  const rows = await deleteFrom(scope, table)
    .where("id", "in", ids)
    .returning(buildRowBytes(table).as("bytes"))
    .execute();
  recordRows(progress, rows);
  return rows.length;
}

/** Deletes the rows with one of the ids in a column, in several statements. Returns false when a limit is reached first. */
async function deleteDependentRows(
  { db, workspaceId }: StorageScope,
  table: "comments" | "long_texts" | "property_values",
  column: "parent_id" | "page_id",
  ids: readonly string[],
  progress: Progress,
): Promise<boolean> {
  const selected = sql`where workspace_id = ${workspaceId} and ${sql.ref(column)} in (${sql.join(ids)})
    limit ${sql.lit(MAX_DELETED_ROWS_PER_STATEMENT)}`;
  for (;;) {
    const rows = await db
      .deleteFrom(table)
      .where(buildIsSelected(table, selected))
      .returning(buildRowBytes(table).as("bytes"))
      .execute();
    recordRows(progress, rows);
    if (rows.length < MAX_DELETED_ROWS_PER_STATEMENT) return true;
    if (hasReachedLimit(progress)) return false;
  }
}
