import type { StorageScope } from "./tables.js";
import { deleteFrom, insertInto, selectFrom, updateTable } from "./workspace-rows.js";

/*
 * Conversions of values: when a request changes the type of a property, a job converts the values of all pages of the database.
 */

/** Sets the job that converts the values of a database; null when it has ended. */
export async function setConversionJob(
  scope: StorageScope,
  databaseId: string,
  jobId: string | null,
): Promise<void> {
  await updateTable(scope, "databases").set({ conversion_id: jobId }).where("id", "=", databaseId).execute();
}

/** Records that a page was created or changed during a conversion, so that its values are converted again. */
export async function recordChangedPage(
  scope: StorageScope,
  databaseId: string,
  pageId: string,
): Promise<void> {
  await insertInto(scope, "changed_pages", { database_id: databaseId, page_id: pageId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Reads the ids of pages that must be converted again, in order. */
export async function findChangedPageIds(
  scope: StorageScope,
  databaseId: string,
  limit: number,
): Promise<string[]> {
  const rows = await selectFrom(scope, "changed_pages")
    .select("page_id")
    .where("database_id", "=", databaseId)
    .orderBy("page_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.page_id);
}

/** Deletes the records of pages that have been converted again. */
export async function deleteChangedPages(
  scope: StorageScope,
  databaseId: string,
  pageIds: readonly string[],
): Promise<void> {
  if (pageIds.length === 0) return;
  await deleteFrom(scope, "changed_pages")
    .where("database_id", "=", databaseId)
    .where("page_id", "in", pageIds)
    .execute();
}

export async function deleteAllChangedPages(scope: StorageScope, databaseId: string): Promise<void> {
  await deleteFrom(scope, "changed_pages").where("database_id", "=", databaseId).execute();
}
