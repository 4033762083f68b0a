import type { StorageScope } from "./tables.js";
import { deleteFrom, insertInto, selectFrom, updateTable } from "./workspace-rows.js";

/** Sets or clears the job that converts the values of a database. */
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
export async function findChangedPages(
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

/** Deletes the records of converted pages of a database, or of all its pages if `pageIds` is omitted. */
export async function deleteChangedPages(
  scope: StorageScope,
  databaseId: string,
  pageIds?: readonly string[],
): Promise<void> {
  if (pageIds?.length === 0) return;
  let query = deleteFrom(scope, "changed_pages").where("database_id", "=", databaseId);
  if (pageIds !== undefined) query = query.where("page_id", "in", pageIds);
  await query.execute();
}
