import type { StorageScope } from "../tables.js";
import { deleteFrom, insertInto, selectFrom, updateTable } from "../workspace-rows.js";

/* Conversions of values: when a property changes its type, a job converts its values on all pages of the database. */

/** Sets the job that converts the values of a database; null when it has ended. */
export async function setConversionJob(
  scope: StorageScope,
  databaseId: string,
  jobId: string | null,
): Promise<void> {
  await updateTable(scope, "databases")
    .set({ conversion_job_id: jobId })
    .where("id", "=", databaseId)
    .execute();
}

/** Records that a page was created or changed during a conversion, so that its values are converted again. */
export async function recordPageToReconvert(
  scope: StorageScope,
  databaseId: string,
  pageId: string,
): Promise<void> {
  await insertInto(scope, "pages_to_reconvert", { database_id: databaseId, page_id: pageId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Reads the ids of pages that must be converted again, in order. */
export async function findPageIdsToReconvert(
  scope: StorageScope,
  databaseId: string,
  limit: number,
): Promise<string[]> {
  const rows = await selectFrom(scope, "pages_to_reconvert")
    .select("page_id")
    .where("database_id", "=", databaseId)
    .orderBy("page_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.page_id);
}

/** Deletes the records of pages that have been converted again; all records of the database without `pageIds`. */
export async function deletePagesToReconvert(
  scope: StorageScope,
  databaseId: string,
  pageIds?: readonly string[],
): Promise<void> {
  if (pageIds?.length === 0) return;
  const records = deleteFrom(scope, "pages_to_reconvert").where("database_id", "=", databaseId);
  await (pageIds === undefined ? records : records.where("page_id", "in", pageIds)).execute();
}
