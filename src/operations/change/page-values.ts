import type { Page } from "../../domain/page.js";
import type { PropertyEdit } from "../../domain/properties/apply.js";
import type { PropertyDefinition, Schema } from "../../domain/schema.js";
import { recordChangedPage } from "../../storage/conversions.js";
import { updateSchema } from "../../storage/databases.js";
import { insertValues, replaceValues } from "../../storage/property-values.js";
import { replaceLinks } from "../../storage/relations.js";
import type { WriteScope } from "../scope.js";

/** The database of a page whose values change. */
export interface PageDatabase {
  readonly id: string;
  /** The schema before the request. */
  readonly schema: Schema;
  /** Whether a job converts the values of the pages, and must convert this page again. */
  readonly isConverting: boolean;
}

/** Stores the index rows, the new options and the links of a new page. The page itself is stored elsewhere. */
export async function addValues(
  scope: WriteScope,
  page: Page,
  database: PageDatabase,
  edit: PropertyEdit,
): Promise<void> {
  const indexed = { id: page.id, databaseId: database.id, properties: page.properties };
  await insertValues(scope.db, scope.workspaceId, [indexed], edit.schema.definitions);
  await storeOptionsAndLinks(scope, page, database, edit);
}

/** Replaces the index rows and links of the changed values of a page, and stores new options. */
export async function changeValues(
  scope: WriteScope,
  page: Page,
  database: PageDatabase,
  edit: PropertyEdit,
): Promise<void> {
  const indexed = { id: page.id, databaseId: database.id, properties: page.properties };
  // The new definition of a property contains the options that the request adds.
  const findNewDefinition = (property: PropertyDefinition) => edit.schema.byId.get(property.id) ?? property;
  await replaceValues(scope.db, scope.workspaceId, indexed, edit.edited.map(findNewDefinition));
  await storeOptionsAndLinks(scope, page, database, edit);
}

async function storeOptionsAndLinks(
  { db, workspaceId, edit: { author } }: WriteScope,
  page: Page,
  database: PageDatabase,
  edit: PropertyEdit,
): Promise<void> {
  if (database.isConverting) await recordChangedPage(db, workspaceId, database.id, page.id);
  if (edit.schema !== database.schema) {
    await updateSchema(db, workspaceId, database.id, edit.schema, { author, time: page.lastEditedTime });
  }
  for (const relation of edit.edited) {
    const targetIds = edit.links.get(relation.id);
    if (relation.type === "relation" && targetIds !== undefined) {
      await replaceLinks(db, workspaceId, { id: page.id, databaseId: database.id }, relation, targetIds);
    }
  }
}
