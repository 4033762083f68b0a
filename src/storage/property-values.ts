import { createIndexRows } from "../domain/properties/index-rows.js";
import type { StoredProperties } from "../domain/properties/stored-values.js";
import { isListProperty, type PropertyDefinition } from "../domain/schema.js";
import { chunk, MAX_IDS, zipCells } from "./sql-helpers.js";
import { compileOnce } from "./engine/compile-once.js";
import { isPostgres } from "./engine/dialect.js";
import type { Db, StorageScope, Tables } from "./tables.js";
import { compileForWorkspace, deleteFrom } from "./workspace-rows.js";

type ValueRow = Tables["property_values"];

/** Maximum number of rows in one statement, because SQL dialects limit the number of parameters. */
const MAX_INSERTED_VALUES = 500;

/** Maximum number of rows or properties in precompiled statements. Most requests write no more. */
const MAX_COMPILED_ROWS = 16;

/** A page of a database with its values, from which its rows in property_values are derived. */
export interface IndexedPage {
  readonly id: string;
  readonly databaseId: string;
  readonly properties: StoredProperties;
}

/** Inserts the rows of pages for properties, which must not have any yet. Relations get none, see createIndexRows. */
export async function insertPropertyValues(
  { db, workspaceId }: StorageScope,
  pages: readonly IndexedPage[],
  properties: readonly PropertyDefinition[],
): Promise<void> {
  const rows = pages.flatMap((page) => createRows(workspaceId, page, properties));
  await insertPropertyRows(db, rows);
}

/** Replaces the rows in property_values of a page for the given properties. Skips relations. */
export async function replacePropertyValues(
  scope: StorageScope,
  page: IndexedPage,
  properties: readonly PropertyDefinition[],
): Promise<void> {
  const nonRelations = properties.filter(({ type }) => type !== "relation");
  // Values with one row are upserted, because deleting and inserting the row costs twice as much.
  const singleRow = nonRelations.filter((property) => !isListProperty(property)).slice(0, MAX_COMPILED_ROWS);
  const upserted = createRows(scope.workspaceId, page, singleRow);
  if (upserted.length > 0) await upsertCompiled(scope.db, ...upserted.flatMap(toCells));
  // Empty values, values with several rows, and those beyond MAX_COMPILED_ROWS.
  const upsertedIds = new Set(upserted.map((row) => row.property_id));
  const remaining = nonRelations.filter(({ id }) => !upsertedIds.has(id));
  const remainingIds = remaining.map(({ id }) => id);
  await deletePropertyValues(scope, [page.id], remainingIds);
  await insertPropertyValues(scope, [page], remaining);
}

function createRows(
  workspaceId: string,
  page: IndexedPage,
  properties: readonly PropertyDefinition[],
): ValueRow[] {
  return properties.flatMap((property) =>
    createIndexRows(property, page.properties).map((row) => ({
      workspace_id: workspaceId,
      page_id: page.id,
      database_id: page.databaseId,
      property_id: property.id,
      ordinal: row.ordinal,
      text_key: row.textKey,
      long_text: row.longText,
      number_key: row.numberKey,
      end_key: row.endKey,
    })),
  );
}

/** Deletes the rows in property_values of pages for the given properties. */
export async function deletePropertyValues(
  scope: StorageScope,
  pageIds: readonly string[],
  propertyIds: readonly string[],
): Promise<void> {
  if (pageIds.length === 0 || propertyIds.length === 0) return;
  const [pageId = ""] = pageIds;
  if (pageIds.length === 1 && propertyIds.length <= MAX_COMPILED_ROWS) {
    await deleteCompiled(scope, pageId, ...propertyIds);
    return;
  }
  for (const ids of chunk(propertyIds, MAX_IDS)) {
    await deleteFrom(scope, "property_values")
      .where("page_id", "in", pageIds)
      .where("property_id", "in", ids)
      .execute();
  }
}

const deleteCompiled = compileForWorkspace((scope, pageId: string, ...propertyIds: string[]) =>
  deleteFrom(scope, "property_values").where("page_id", "=", pageId).where("property_id", "in", propertyIds),
);

/** Inserts rows: on PostgreSQL in as few statements as possible, on SQLite one by one, because that is faster there. */
export async function insertPropertyRows(tx: Db, rows: readonly ValueRow[]): Promise<void> {
  if (!isPostgres(tx)) {
    for (const row of rows) await insertCompiled(tx, ...toCells(row));
    return;
  }
  if (rows.length > 0 && rows.length <= MAX_COMPILED_ROWS) {
    await insertCompiled(tx, ...rows.flatMap(toCells));
    return;
  }
  for (const values of chunk(rows, MAX_INSERTED_VALUES))
    await tx.insertInto("property_values").values(values).execute();
}

const COLUMNS = [
  "workspace_id",
  "page_id",
  "database_id",
  "property_id",
  "ordinal",
  "text_key",
  "long_text",
  "number_key",
  "end_key",
] as const satisfies readonly (keyof ValueRow)[];

type Value = ValueRow[(typeof COLUMNS)[number]];

/** Returns the cells of a row. Compiled statements take a flat list of them. */
function toCells(row: ValueRow): Value[] {
  return COLUMNS.map((column) => row[column]);
}

/** Restores rows from the flat list of their cells. */
function toRows(cells: readonly Value[]): ValueRow[] {
  // Safe cast: toCells made the list from rows.
  return chunk(cells, COLUMNS.length).map((row) => zipCells(COLUMNS, row) as ValueRow);
}

const insertCompiled = compileOnce((db, ...values: Value[]) =>
  db.insertInto("property_values").values(toRows(values)),
);

const upsertCompiled = compileOnce((db, ...values: Value[]) =>
  db
    .insertInto("property_values")
    .values(toRows(values))
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "page_id", "property_id", "ordinal"]).doUpdateSet((eb) => ({
        text_key: eb.ref("excluded.text_key"),
        long_text: eb.ref("excluded.long_text"),
        number_key: eb.ref("excluded.number_key"),
        end_key: eb.ref("excluded.end_key"),
      })),
    ),
);
