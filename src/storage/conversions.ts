import type { StorageScope } from "./tables.js";
import { hasId } from "./sql-helpers.js";

/** Sets or clears the job that converts the values of a database. */
export async function setConversionJob(
  { db, workspaceId }: StorageScope,
  databaseId: string,
  jobId: string | null,
): Promise<void> {
  await db
    .updateTable("databases")
    .set({ conversion_id: jobId })
    .where(hasId(workspaceId, databaseId))
    .execute();
}

/** Records that a page was created or changed during a conversion, so that its values are converted again. */
export async function recordChangedPage(
  { db, workspaceId }: StorageScope,
  databaseId: string,
  pageId: string,
): Promise<void> {
  await db
    .insertInto("changed_pages")
    .values({ workspace_id: workspaceId, database_id: databaseId, page_id: pageId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Reads the ids of pages that must be converted again, in order. */
export async function findChangedPages(
  { db, workspaceId }: StorageScope,
  databaseId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("changed_pages")
    .select("page_id")
    .where("workspace_id", "=", workspaceId)
    .where("database_id", "=", databaseId)
    .orderBy("page_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.page_id);
}

/** Deletes the records of converted pages of a database, or of all its pages if `pageIds` is omitted. */
export async function deleteChangedPages(
  { db, workspaceId }: StorageScope,
  databaseId: string,
  pageIds?: readonly string[],
): Promise<void> {
  if (pageIds?.length === 0) return;
  let query = db
    .deleteFrom("changed_pages")
    .where("workspace_id", "=", workspaceId)
    .where("database_id", "=", databaseId);
  if (pageIds !== undefined) query = query.where("page_id", "in", pageIds);
  await query.execute();
}
