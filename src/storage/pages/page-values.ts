import { sql } from "kysely";
import type { ValueSource } from "../../domain/properties/response-values.js";
import { getIds } from "../../lists.js";
import { readByIds } from "../sql-helpers.js";
import { readPageBytes, VALUE_BYTES } from "./page-bytes.js";
import { type RowLimit, type SizedRow, takeRowsWithinLimit } from "../row-limit.js";
import type { StorageScope } from "../tables.js";
import { selectFrom } from "../workspace-rows.js";

/** The values of a page, and the JSON text in which they are stored. */
export interface PageValues extends ValueSource {
  readonly id: string;
  readonly json: string;
}

/**
 * Reads the values of the pages of a database that come after the id `after`, ordered by id, including pages in the trash. Reads
 * pages outside of databases if `databaseId` is undefined. Returns at least one page, even if it exceeds the bytes of the limit.
 */
export async function findPageValuesAfter(
  scope: StorageScope,
  databaseId: string | undefined,
  after: string,
  limit: RowLimit,
): Promise<PageValues[]> {
  const part = (inTrash: number) =>
    selectFrom(scope, "pages")
      .select(["id", VALUE_BYTES])
      .where((eb) =>
        databaseId === undefined ? eb("parent_type", "!=", "database_id") : eb("parent_id", "=", databaseId),
      )
      .where("in_trash", "=", inTrash)
      .where("id", ">", after)
      .orderBy("id")
      .limit(limit.count);
  // The index has the pages in the trash and all others separately, each in the order of ids.
  const { rows: sizes } = await sql<SizedRow>`
    select * from ${part(0)} as one union all select * from ${part(1)} as other order by id limit ${limit.count}
  `.execute(scope.db);
  return readFittingValues(scope, sizes, limit);
}

/** Reads the values of at most MAX_IDS pages by their ids, up to a limit. Unknown ids are skipped. See findPageValuesAfter. */
export async function findPageValues(
  scope: StorageScope,
  ids: readonly string[],
  limit: RowLimit,
): Promise<PageValues[]> {
  const sizes = await readPageBytes(scope, ids);
  sizes.sort((left, right) => (left.id < right.id ? -1 : 1));
  return readFittingValues(scope, sizes, limit);
}

/** Reads the values of the first pages that fit into a limit, but at least of one page. `sizes` must be ordered by id. */
async function readFittingValues(
  scope: StorageScope,
  sizes: readonly SizedRow[],
  limit: RowLimit,
): Promise<PageValues[]> {
  const rows = await readByIds(
    getIds(takeRowsWithinLimit(sizes, limit)),
    selectFrom(scope, "pages")
      .select([
        "id",
        "created_time as createdTime",
        "created_by as createdBy",
        "last_edited_time as lastEditedTime",
        "last_edited_by as lastEditedBy",
        "properties as json",
      ])
      .orderBy("id"),
  );
  return rows.map((row) => ({ ...row, properties: JSON.parse(row.json) }));
}

/** Replaces values of at most MAX_IDS pages, but not their versions, so it must only change values that responses do not show. */
export async function updatePageValues(
  { db, workspaceId }: StorageScope,
  pages: readonly Pick<PageValues, "id" | "json">[],
): Promise<void> {
  if (pages.length === 0) return;
  const rows = sql.join(pages.map(({ id, json }) => sql`(${id}, ${json})`));
  await sql`
    update pages set properties = changed.column2 from (values ${rows}) as changed
    where pages.workspace_id = ${workspaceId} and pages.id = changed.column1
  `.execute(db);
}
