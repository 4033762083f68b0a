import { sql, type SqlBool } from "kysely";
import { buildRowBytes, subtractStoredBytes } from "./accounts/stored-bytes.js";
import { joinColumns } from "./by-id.js";
import { chunk } from "./chunk.js";
import { PRIMARY_KEYS, type StorageScope } from "./tables.js";
import { deletePageTexts } from "./text-index.js";
import type { ObjectRef } from "./trash.js";

/** Number of rows after which a transaction begins no further statement, because other workspaces wait for it. */
const MAX_ROWS_IN_TRANSACTION = 500;

/** Number of bytes after which a transaction begins no further statement. */
const MAX_BYTES_IN_TRANSACTION = 10_000_000;

/** Number of searches for contents after which a transaction begins no further one, because objects can be nested deeply. */
const MAX_READS_IN_TRANSACTION = 300;

/** Maximum number of pages that one transaction deletes from the text index. FTS5 makes the COMMIT slower with each page. */
const MAX_PAGES_IN_TRANSACTION = 100;

/** Maximum number of objects that one statement deletes. Small, because a page can be megabytes long. */
const MAX_OBJECTS = 50;

/** Maximum number of values or comments that one statement deletes. They are shorter than pages. */
const MAX_ROWS = 200;

/** Maximum number of contents that one statement reads. */
const MAX_CONTENTS = 300;

/**
 * Number of groups to delete after which one object is read at a time. Then a level of nesting adds one object to them
 * instead of hundreds, which bounds the memory.
 */
const MAX_WAITING_GROUPS = 1000;

/** Objects of one kind, whose contents one statement reads. */
export type ObjectGroup = readonly ObjectRef[];

/** Progress of a deletion in one transaction. */
interface Progress {
  /** Statements that searched for contents. */
  reads: number;
  objects: number;
  pages: number;
  rows: number;
  /** Bytes of the deleted rows, as the storage limit counts them. */
  bytes: number;
}

/**
 * Deletes objects with everything in them, up to the limits of a transaction. Contents are deleted before their parent, so
 * that a deletion can start again at its root, and an export in the meantime has no dangling references. Links to deleted
 * pages remain, hidden like links to pages in the trash.
 *
 * @param groups the last one is deleted first; objects that do not exist are skipped
 * @returns the groups that are still to be deleted, and the number of deleted objects
 */
export async function deleteTrees(
  scope: StorageScope,
  groups: readonly ObjectGroup[],
): Promise<{ readonly rest: readonly ObjectGroup[]; readonly count: number }> {
  const progress: Progress = { reads: 0, objects: 0, pages: 0, rows: 0, bytes: 0 };
  const rest = [...groups];
  for (let group = rest.at(-1); group !== undefined && !isFull(progress); group = rest.at(-1)) {
    const limit = rest.length < MAX_WAITING_GROUPS ? MAX_CONTENTS : 1;
    const contents = await findContents(scope, group, limit);
    progress.reads += 1;
    if (contents.length > 0) rest.push(...groupByKind(contents));
    else if (await deleteObjects(scope, group, progress)) rest.pop();
  }
  if (progress.bytes > 0) await subtractStoredBytes(scope, progress.bytes);
  return { rest, count: progress.objects };
}

/** Whether the transaction has reached a limit. */
function isFull({ reads, pages, rows, bytes }: Progress): boolean {
  return (
    reads >= MAX_READS_IN_TRANSACTION ||
    pages >= MAX_PAGES_IN_TRANSACTION ||
    rows >= MAX_ROWS_IN_TRANSACTION ||
    bytes >= MAX_BYTES_IN_TRANSACTION
  );
}

/** Adds deleted rows to the progress. */
function recordRows(progress: Progress, rows: readonly { readonly bytes: number }[]): void {
  progress.rows += rows.length;
  for (const { bytes } of rows) progress.bytes += bytes;
}

/** Splits objects into groups, each of one kind and of at most MAX_OBJECTS. */
export function groupByKind(objects: readonly ObjectRef[]): ObjectGroup[] {
  return (["block", "page", "database"] as const).flatMap((kind) =>
    chunk(
      objects.filter((object) => object.kind === kind),
      MAX_OBJECTS,
    ),
  );
}

/** Reads up to `limit` objects that are directly in others. */
async function findContents(
  { db, workspaceId }: StorageScope,
  parents: ObjectGroup,
  limit: number,
): Promise<ObjectRef[]> {
  const ids = parents.map(({ id }) => id);
  if (parents[0]?.kind === "database") {
    const pages = await db
      .selectFrom("pages")
      .select("id")
      .where("workspace_id", "=", workspaceId)
      .where("parent_id", "in", ids)
      .limit(limit)
      .execute();
    return pages.map(({ id }) => ({ id, kind: "page" }));
  }
  const blocks = await db
    .selectFrom("blocks")
    .select(["id", "type"])
    .where("workspace_id", "=", workspaceId)
    .where("parent_id", "in", ids)
    .limit(limit)
    .execute();
  return blocks.map(({ id, type }) => {
    if (type === "child_page") return { id, kind: "page" };
    return { id, kind: type === "child_database" ? "database" : "block" };
  });
}

/**
 * Deletes objects of one kind that contain no others, with the rows that belong to them.
 *
 * @returns false when the transaction is full before all rows are deleted
 */
async function deleteObjects(
  scope: StorageScope,
  objects: ObjectGroup,
  progress: Progress,
): Promise<boolean> {
  const ids = objects.map(({ id }) => id);
  const kind = objects[0]?.kind;
  if (!(await deleteRowsOf(scope, "comments", "parent_id", ids, progress))) return false;
  if (kind === "page") {
    if (!(await deleteRowsOf(scope, "property_values", "page_id", ids, progress))) return false;
    await deletePageTexts(scope, ids);
    await scope.db
      .deleteFrom("changed_pages")
      .where("workspace_id", "=", scope.workspaceId)
      .where("page_id", "in", ids)
      .execute();
    progress.objects += await deleteByIds(scope, "pages", ids, progress);
    progress.pages += ids.length;
  }
  if (kind === "database") progress.objects += await deleteByIds(scope, "databases", ids, progress);
  // Pages and databases inside of pages have a row here too.
  const blocks = await deleteByIds(scope, "blocks", ids, progress);
  if (kind === "block") progress.objects += blocks;
  return true;
}

/** Deletes rows by their ids, and returns their number. */
async function deleteByIds(
  { db, workspaceId }: StorageScope,
  table: "pages" | "databases" | "blocks",
  ids: readonly string[],
  progress: Progress,
): Promise<number> {
  const rows = await db
    .deleteFrom(table)
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .returning(buildRowBytes(table).as("bytes"))
    .execute();
  recordRows(progress, rows);
  return rows.length;
}

/**
 * Deletes the rows of a table that belong to objects, MAX_ROWS per statement.
 *
 * @param column the column with the id of the object
 * @returns false when the transaction is full before all rows are deleted
 */
async function deleteRowsOf(
  { db, workspaceId }: StorageScope,
  table: "comments" | "property_values",
  column: "parent_id" | "page_id",
  ids: readonly string[],
  progress: Progress,
): Promise<boolean> {
  const key = joinColumns(PRIMARY_KEYS[table]);
  for (;;) {
    const rows = await db
      .deleteFrom(table)
      .where(
        sql<SqlBool>`(${key}) in (select ${key} from ${sql.table(table)}
          where workspace_id = ${workspaceId} and ${sql.ref(column)} in (${sql.join(ids)}) limit ${sql.lit(MAX_ROWS)})`,
      )
      .returning(buildRowBytes(table).as("bytes"))
      .execute();
    recordRows(progress, rows);
    if (rows.length < MAX_ROWS) return true;
    if (isFull(progress)) return false;
  }
}
