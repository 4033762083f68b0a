import { sql } from "kysely";
import {
  MAX_DELETED_OBJECTS_PER_STATEMENT,
  DELETED_PAGES_SOFT_LIMIT,
  WORKSPACE_DELETION_BATCH_MS,
} from "../budgets.js";
import { setWorkspaceName } from "./access/workspaces.js";
import { deleteSelected, joinColumns } from "./sql-helpers.js";
import { belongsToWorkspace, type StorageScope, TABLE_METADATA, TABLE_NAMES, type Tables } from "./tables.js";
import { deleteFirstTrigrams } from "./pages/text-index.js";
import { deleteFrom } from "./workspace-rows.js";

/** Hides a workspace, which ends all access to it and frees its name for another one, and deletes its jobs. */
export async function prepareWorkspaceDeletion(scope: StorageScope): Promise<void> {
  await deleteFrom(scope, "jobs").execute();
  await setWorkspaceName(scope, scope.workspaceId);
}

/** Deletes rows of a hidden workspace for about WORKSPACE_DELETION_BATCH_MS, and at the end the workspace and this job. */
export async function deleteWorkspaceRows(
  scope: StorageScope,
): Promise<{ readonly count: number; readonly isDeleted: boolean }> {
  const { db, workspaceId } = scope;
  const deadline = performance.now() + WORKSPACE_DELETION_BATCH_MS;
  let count = 0;
  let deletedTexts = 0;
  // Rows that refer to others come first.
  for (const table of TABLE_NAMES.toReversed()) {
    if (!belongsToWorkspace(table) || table === "jobs") continue;
    let deletedRows: number;
    do {
      if (performance.now() > deadline || deletedTexts >= DELETED_PAGES_SOFT_LIMIT)
        return { count, isDeleted: false };
      // The next statement deletes the rows of the same pages: the first ones in the order of the key.
      if (table === "page_texts") await deleteFirstTrigrams(scope, MAX_DELETED_OBJECTS_PER_STATEMENT);
      deletedRows = await deleteRows(scope, table);
      count += deletedRows;
      if (table === "page_texts") deletedTexts += deletedRows;
    } while (deletedRows === MAX_DELETED_OBJECTS_PER_STATEMENT);
  }
  await deleteFrom(scope, "jobs").execute();
  await db.deleteFrom("workspaces").where("id", "=", workspaceId).execute();
  return { count, isDeleted: true };
}

/** Deletes the first MAX_DELETED_OBJECTS_PER_STATEMENT rows of a workspace in a table, and returns their number. */
function deleteRows({ db, workspaceId }: StorageScope, table: keyof Tables): Promise<number> {
  const first = sql`where workspace_id = ${workspaceId}
    order by ${joinColumns(TABLE_METADATA[table].primaryKey)} limit ${MAX_DELETED_OBJECTS_PER_STATEMENT}`;
  return deleteSelected(db, table, first);
}
