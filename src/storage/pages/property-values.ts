import { type RawBuilder, sql } from "kysely";
import { MAX_BATCH_VALUES, MAX_DELETED_ROWS_PER_STATEMENT } from "../../budgets.js";
import { createIndexRows, hasLongText } from "../../domain/properties/index-rows.js";
import type { StoredProperties } from "../../domain/properties/stored-values.js";
import { isListProperty, type PropertyDefinition } from "../../domain/schema.js";
import { chunk, getIds } from "../../lists.js";
import { deleteSelected, MAX_IDS } from "../sql-helpers.js";
import { compileInsert } from "../compile-insert.js";
import { type StorageScope, TABLE_METADATA, type Tables } from "../tables.js";
import { compileForWorkspace, deleteFrom } from "../workspace-rows.js";

type ValueRow = Tables["property_values"];
type LongTextRow = Tables["long_texts"];

/** Maximum number of properties in a precompiled statement. Most requests write no more. */
const MAX_COMPILED_PROPERTIES = 16;

/** A page of a database with its values, from which its rows in property_values are derived. */
export interface IndexedPage {
  readonly id: string;
  readonly databaseId: string;
  readonly properties: StoredProperties;
}

/** Inserts the rows of pages for properties, which must not have any yet, and returns their number. Relations get none, see createIndexRows. */
export async function insertPropertyValues(
  { db, workspaceId }: StorageScope,
  pages: readonly IndexedPage[],
  properties: readonly PropertyDefinition[],
): Promise<number> {
  const { values, longTexts } = createRows(workspaceId, pages, properties);
  await insertPropertyRows(db, values);
  await upsertLongTexts(db, longTexts);
  return values.length;
}

/** Replaces the rows of a page for properties other than relations. `previous` has the values of the page that have rows now. */
export async function replacePropertyValues(
  scope: StorageScope,
  page: IndexedPage,
  properties: readonly PropertyDefinition[],
  previous: StoredProperties,
): Promise<void> {
  const nonRelations = properties.filter(({ type }) => type !== "relation");
  const { values, longTexts } = createRows(scope.workspaceId, [page], nonRelations);
  // Values with one row are upserted, because deleting and inserting the row costs twice as much.
  const singleRowIds = new Set(getIds(nonRelations.filter((property) => !isListProperty(property))));
  const upserted = values.filter((row) => singleRowIds.has(row.property_id));
  await upsertPropertyRows(scope.db, upserted);
  // Empty values, and values that can have several rows.
  const upsertedIds = new Set(upserted.map((row) => row.property_id));
  const remainingIds = nonRelations.flatMap(({ id }) => (upsertedIds.has(id) ? [] : id));
  await deleteValues(scope, [page.id], remainingIds);
  await insertPropertyRows(
    scope.db,
    values.filter((row) => !upsertedIds.has(row.property_id)),
  );
  // Deletes only existing long texts, because a DELETE after a change of the text index takes 20 to 40 µs.
  const replacedIds = new Set(longTexts.map((row) => row.property_id));
  const shortened = nonRelations.filter(
    (property) =>
      (isListProperty(property) || !replacedIds.has(property.id)) && hasLongText(property, previous),
  );
  await deleteLongTexts(scope, [page.id], getIds(shortened));
  await upsertLongTexts(scope.db, longTexts);
}

function createRows(
  workspaceId: string,
  pages: readonly IndexedPage[],
  properties: readonly PropertyDefinition[],
): { readonly values: ValueRow[]; readonly longTexts: LongTextRow[] } {
  const values: ValueRow[] = [];
  const longTexts: LongTextRow[] = [];
  for (const page of pages) {
    for (const property of properties) {
      for (const row of createIndexRows(property, page.properties)) {
        values.push({
          workspace_id: workspaceId,
          page_id: page.id,
          database_id: page.databaseId,
          property_id: property.id,
          ordinal: row.ordinal,
          text_key: row.textKey,
          number_key: row.numberKey,
          end_key: row.endKey,
        });
        if (row.longText === null) continue;
        longTexts.push({
          workspace_id: workspaceId,
          page_id: page.id,
          property_id: property.id,
          ordinal: row.ordinal,
          text: row.longText,
        });
      }
    }
  }
  return { values, longTexts };
}

/** Deletes the rows of pages for the given properties. */
export async function deletePropertyValues(
  scope: StorageScope,
  pageIds: readonly string[],
  propertyIds: readonly string[],
): Promise<void> {
  await deleteValues(scope, pageIds, propertyIds);
  await deleteLongTexts(scope, pageIds, propertyIds);
}

/**
 * Deletes the values of properties not in `keptIds`, page by page, until MAX_BATCH_VALUES are deleted, or as many of one page. Returns
 * the number of pages that have none of these values any more.
 */
export async function deleteOtherPropertyValues(
  scope: StorageScope,
  pageIds: readonly string[],
  keptIds: ReadonlySet<string>,
): Promise<number> {
  if (pageIds.length === 0) return 0;
  const removedIds = (await findStoredPropertyIds(scope, pageIds)).filter((id) => !keptIds.has(id));
  if (removedIds.length === 0) return pageIds.length;
  let values = 0;
  for (const [index, pageId] of pageIds.entries()) {
    if (values >= MAX_BATCH_VALUES) return index;
    let valuesOfPage = 0;
    for (const ids of chunk(removedIds, MAX_IDS)) {
      const removed = sql`where workspace_id = ${scope.workspaceId} and page_id = ${pageId}
        and property_id in (${sql.join(ids)}) limit ${sql.lit(MAX_DELETED_ROWS_PER_STATEMENT)}`;
      let deleted: number;
      do {
        deleted = await deleteSelected(scope.db, "property_values", removed);
        valuesOfPage += deleted;
        if (valuesOfPage >= MAX_BATCH_VALUES) return index;
      } while (deleted === MAX_DELETED_ROWS_PER_STATEMENT);
    }
    values += valuesOfPage;
    await deleteLongTexts(scope, [pageId], removedIds);
  }
  return pageIds.length;
}

/** Finds the properties for which pages have rows with a loose index scan, because a page can have thousands of links. */
async function findStoredPropertyIds(
  { db, workspaceId }: StorageScope,
  pageIds: readonly string[],
): Promise<string[]> {
  const firstId = (rest: RawBuilder<unknown>) => sql`(
    select min(property_id) from property_values where workspace_id = ${workspaceId} and ${rest})`;
  const { rows } = await sql<{ id: string }>`
    select distinct id from (
      with recursive stored as (
        select id as page_id, ${firstId(sql`page_id = pages.id`)} as id
        from pages where workspace_id = ${workspaceId} and id in (${sql.join(pageIds)})
        union all
        select page_id, ${firstId(sql`page_id = stored.page_id and property_id > stored.id`)}
        from stored where id is not null
      )
      select id from stored where id is not null
    ) as found
  `.execute(db);
  return getIds(rows);
}

/** Deletes values, but not their long texts. Links have none. */
export const deleteValues = createDeletion("property_values");
const deleteLongTexts = createDeletion("long_texts");

/** Creates a function that deletes the rows of pages for properties in a table. */
function createDeletion(table: "property_values" | "long_texts") {
  const deleteCompiled = compileForWorkspace((scope, pageId: string, ...propertyIds: string[]) =>
    deleteFrom(scope, table).where("page_id", "=", pageId).where("property_id", "in", propertyIds),
  );
  return async (
    scope: StorageScope,
    pageIds: readonly string[],
    propertyIds: readonly string[],
  ): Promise<void> => {
    if (pageIds.length === 0 || propertyIds.length === 0) return;
    const [pageId = ""] = pageIds;
    if (pageIds.length === 1 && propertyIds.length <= MAX_COMPILED_PROPERTIES) {
      await deleteCompiled(scope, pageId, ...propertyIds);
      return;
    }
    for (const ids of chunk(propertyIds, MAX_IDS)) {
      await deleteFrom(scope, table)
        .where("page_id", "in", pageIds)
        .where("property_id", "in", ids)
        .execute();
    }
  };
}

const VALUE_COLUMNS = [
  "workspace_id",
  "page_id",
  "database_id",
  "property_id",
  "ordinal",
  "text_key",
  "number_key",
  "end_key",
] as const;

export const insertPropertyRows = compileInsert("property_values", VALUE_COLUMNS);

const upsertPropertyRows = compileInsert("property_values", VALUE_COLUMNS, (insert) =>
  insert.onConflict((conflict) =>
    conflict.columns(TABLE_METADATA.property_values.primaryKey).doUpdateSet((eb) => ({
      text_key: eb.ref("excluded.text_key"),
      number_key: eb.ref("excluded.number_key"),
      end_key: eb.ref("excluded.end_key"),
    })),
  ),
);

const LONG_TEXT_KEY = TABLE_METADATA.long_texts.primaryKey;

const upsertLongTexts = compileInsert("long_texts", [...LONG_TEXT_KEY, "text"], (insert) =>
  insert.onConflict((conflict) =>
    conflict.columns(LONG_TEXT_KEY).doUpdateSet((eb) => ({ text: eb.ref("excluded.text") })),
  ),
);
