import type { Kysely } from "kysely";
import { indexRows } from "../domain/properties/index-rows.js";
import type { StoredProperties } from "../domain/properties/stored.js";
import type { PropertyDefinition, PropertyType } from "../domain/schema.js";
import { compileForEachCount } from "./compile-once.js";
import type { PropertyValuesTable, Tables } from "./tables.js";

/** Rows in one statement: SQL dialects bound how many parameters one has. */
const MAX_ROWS = 500;

/** Rows, or properties, up to which a statement is built once: as many as a request writes mostly. */
const FEW = 16;

/** A page of a database, as far as its values are concerned. */
export interface IndexedPage {
  readonly id: string;
  readonly databaseId: string;
  readonly properties: StoredProperties;
}

/**
 * Adds the rows of the values that pages have for properties, see PropertyValuesTable. There must be none yet.
 *
 * @param properties of the pages' database; relations among them are passed over
 */
export async function insertValues(
  tx: Kysely<Tables>,
  workspaceId: string,
  pages: readonly IndexedPage[],
  properties: readonly PropertyDefinition[],
): Promise<void> {
  await insertRows(
    tx,
    pages.flatMap((page) => rowsFor(workspaceId, page, properties)),
  );
}

/** Types whose values can have more rows than one. */
const LISTS: ReadonlySet<PropertyType> = new Set<PropertyType>(["multi_select", "people", "files"]);

/** Replaces the rows of the values that a page has for properties; relations among them are passed over. */
export async function replaceValues(
  tx: Kysely<Tables>,
  workspaceId: string,
  page: IndexedPage,
  properties: readonly PropertyDefinition[],
): Promise<void> {
  const others = properties.filter((property) => property.type !== "relation");
  // The one row of a value takes the place of the one before: to delete and to insert it would cost twice as much.
  const single = others.filter((property) => !LISTS.has(property.type)).slice(0, FEW);
  const rows = rowsFor(workspaceId, page, single);
  if (rows.length > 0) await putFew(tx, ...rows.flatMap(valuesOf));
  const done = new Set(rows.map((row) => row.property_id));
  const rest = others.filter((property) => !done.has(property.id));
  await deleteValues(
    tx,
    workspaceId,
    [page.id],
    rest.map((property) => property.id),
  );
  await insertValues(tx, workspaceId, [page], rest);
}

function rowsFor(
  workspaceId: string,
  page: IndexedPage,
  properties: readonly PropertyDefinition[],
): PropertyValuesTable[] {
  return properties.flatMap((property) =>
    indexRows(property, page.properties).map((row) => ({
      workspace_id: workspaceId,
      page_id: page.id,
      database_id: page.databaseId,
      property_id: property.id,
      ordinal: row.ordinal,
      text_key: row.textKey,
      long_text: row.longText,
      number_key: row.numberKey,
    })),
  );
}

/** Deletes the rows of the values that pages have for properties. */
export async function deleteValues(
  tx: Kysely<Tables>,
  workspaceId: string,
  pageIds: readonly string[],
  propertyIds: readonly string[],
): Promise<void> {
  if (pageIds.length === 0 || propertyIds.length === 0) return;
  const [pageId = ""] = pageIds;
  if (pageIds.length === 1 && propertyIds.length <= FEW) {
    await deleteFew(tx, workspaceId, pageId, ...propertyIds);
    return;
  }
  await tx
    .deleteFrom("property_values")
    .where("workspace_id", "=", workspaceId)
    .where("page_id", "in", pageIds)
    .where("property_id", "in", propertyIds)
    .execute();
}

const deleteFew = compileForEachCount((db, workspaceId: string, pageId: string, ...propertyIds: string[]) =>
  db
    .deleteFrom("property_values")
    .where("workspace_id", "=", workspaceId)
    .where("page_id", "=", pageId)
    .where("property_id", "in", propertyIds),
);

/** Adds rows, as many at once as a statement can take. */
export async function insertRows(tx: Kysely<Tables>, rows: readonly PropertyValuesTable[]): Promise<void> {
  if (rows.length > 0 && rows.length <= FEW) {
    await insertFew(tx, ...rows.flatMap(valuesOf));
    return;
  }
  for (let start = 0; start < rows.length; start += MAX_ROWS) {
    await tx
      .insertInto("property_values")
      .values(rows.slice(start, start + MAX_ROWS))
      .execute();
  }
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
] as const satisfies readonly (keyof PropertyValuesTable)[];

type Value = PropertyValuesTable[(typeof COLUMNS)[number]];

function valuesOf(row: PropertyValuesTable): Value[] {
  return COLUMNS.map((column) => row[column]);
}

/** The rows whose values are in one list. */
function rowsOf(values: readonly Value[]): PropertyValuesTable[] {
  return Array.from({ length: values.length / COLUMNS.length }, (_, row) => {
    const cells = COLUMNS.map((column, index) => [column, values[row * COLUMNS.length + index]]);
    // The cast: the list is what valuesOf made of rows.
    return Object.fromEntries(cells) as PropertyValuesTable;
  });
}

const insertFew = compileForEachCount((db, ...values: Value[]) =>
  db.insertInto("property_values").values(rowsOf(values)),
);

const putFew = compileForEachCount((db, ...values: Value[]) =>
  db
    .insertInto("property_values")
    .values(rowsOf(values))
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "page_id", "property_id", "ordinal"]).doUpdateSet((row) => ({
        text_key: row.ref("excluded.text_key"),
        long_text: row.ref("excluded.long_text"),
        number_key: row.ref("excluded.number_key"),
      })),
    ),
);
