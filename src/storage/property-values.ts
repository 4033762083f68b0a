import type { Kysely } from "kysely";
import { indexRows } from "../domain/properties/index-rows.js";
import type { StoredProperties } from "../domain/properties/stored.js";
import type { PropertyDefinition } from "../domain/schema.js";
import type { PropertyValuesTable, Tables } from "./tables.js";

/** Rows in one statement: SQL dialects bound how many parameters one has. */
const MAX_ROWS = 500;

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
  const rows = pages.flatMap((page) =>
    properties.flatMap((property) =>
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
    ),
  );
  await insertRows(tx, rows);
}

/** Replaces the rows of the values that a page has for properties; relations among them are passed over. */
export async function replaceValues(
  tx: Kysely<Tables>,
  workspaceId: string,
  page: IndexedPage,
  properties: readonly PropertyDefinition[],
): Promise<void> {
  const others = properties.filter((property) => property.type !== "relation");
  await deleteValues(
    tx,
    workspaceId,
    [page.id],
    others.map((property) => property.id),
  );
  await insertValues(tx, workspaceId, [page], others);
}

/** Deletes the rows of the values that pages have for properties. */
export async function deleteValues(
  tx: Kysely<Tables>,
  workspaceId: string,
  pageIds: readonly string[],
  propertyIds: readonly string[],
): Promise<void> {
  if (pageIds.length === 0 || propertyIds.length === 0) return;
  await tx
    .deleteFrom("property_values")
    .where("workspace_id", "=", workspaceId)
    .where("page_id", "in", pageIds)
    .where("property_id", "in", propertyIds)
    .execute();
}

/** Adds rows, as many at once as a statement can take. */
export async function insertRows(tx: Kysely<Tables>, rows: readonly PropertyValuesTable[]): Promise<void> {
  for (let start = 0; start < rows.length; start += MAX_ROWS) {
    await tx
      .insertInto("property_values")
      .values(rows.slice(start, start + MAX_ROWS))
      .execute();
  }
}
