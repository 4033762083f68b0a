import { MAX_VALUES_OF_LINKED_PAGE } from "../../budgets.js";
import { createValidationError, type DomainError } from "../../domain/errors.js";
import type { Page } from "../../domain/page.js";
import type { AppliedProperties } from "../../domain/properties/apply.js";
import type { StoredProperties } from "../../domain/properties/stored-values.js";
import type { DefinitionOf, PropertyDefinition } from "../../domain/schema.js";
import { abbreviate } from "../../domain/text.js";
import { recordPageToReconvert } from "../../storage/conversions.js";
import { updateSchema, type VersionedDatabase } from "../../storage/databases.js";
import { incrementPageVersions } from "../../storage/pages.js";
import {
  type IndexedPage,
  insertPropertyValues,
  replacePropertyValues,
} from "../../storage/property-values.js";
import { findFullPages, replaceLinks } from "../../storage/relations.js";
import type { WriteScope } from "../scope.js";

/**
 * Stores what an edit of property values changes besides the page itself: rows in property_values, links, and new options in the
 * schema. Throws a DomainError (validation) for a link to a page that has MAX_VALUES_OF_LINKED_PAGE values and links.
 *
 * @param database the database of the page before the request
 * @param previous the values of the page before the request; omit for a new page, which has no rows yet
 */
export async function storePropertyEdit(
  scope: WriteScope,
  page: Page,
  database: Pick<VersionedDatabase, "id" | "schema" | "conversionJobId">,
  propertyEdit: AppliedProperties,
  previous?: StoredProperties,
): Promise<void> {
  const indexed = { id: page.id, databaseId: database.id, properties: page.properties };
  if (previous === undefined) {
    await insertPropertyValues(scope, [indexed], propertyEdit.schema.definitions);
  } else {
    // The new definition of a property contains the options that the request adds.
    const definitions = propertyEdit.changedProperties.map(
      (property) => propertyEdit.schema.byId.get(property.id) ?? property,
    );
    await replacePropertyValues(scope, indexed, definitions, previous);
  }
  if (database.conversionJobId !== null) await recordPageToReconvert(scope, database.id, page.id);
  if (propertyEdit.schema !== database.schema) {
    const edit = { author: scope.edit.author, time: page.lastEditedTime };
    await updateSchema(scope, database.id, propertyEdit.schema, edit);
  }
  await storeLinks(scope, indexed, propertyEdit.links);
}

/** Replaces the links of a page, and increments the versions of the other pages whose links change. */
async function storeLinks(
  scope: WriteScope,
  page: IndexedPage,
  links: AppliedProperties["links"],
): Promise<void> {
  const relationsByPage = new Map<string, DefinitionOf<"relation">>();
  const changedIds = new Set<string>();
  for (const [relation, targetIds] of links) {
    const { addedIds, removedIds } = await replaceLinks(scope, page, relation, targetIds);
    if (relation.syncedPropertyId === null) continue;
    for (const id of addedIds) relationsByPage.set(id, relation);
    for (const id of [...addedIds, ...removedIds]) changedIds.add(id);
  }
  // Counted once for all relations, because counting 10,000 links takes 1 ms, and each of 100 relations can link to the same pages.
  const linkedPages = [...relationsByPage].map(([id, { databaseId }]) => ({ id, databaseId }));
  const [fullId] = await findFullPages(scope, linkedPages, MAX_VALUES_OF_LINKED_PAGE + 1);
  const relation = fullId === undefined ? undefined : relationsByPage.get(fullId);
  if (relation !== undefined) throw createTooManyLinksError(relation, String(fullId));
  // The version of the page itself has been incremented.
  changedIds.delete(page.id);
  await incrementPageVersions(scope, [...changedIds]);
}

function createTooManyLinksError({ name }: PropertyDefinition, pageId: string): DomainError {
  return createValidationError(
    `${abbreviate(name)}: the page ${pageId} has ${MAX_VALUES_OF_LINKED_PAGE} values and links, so that no other page can add a link. ` +
      "Remove links from it first.",
  );
}
