import {
  MAX_LINKED_BYTES,
  MAX_PAGE_BYTES,
  MAX_PAGES_PER_VALUE_COUNT,
  MAX_VALUES_OF_LINKED_PAGE,
} from "../../budgets.js";
import { createValidationError, type DomainError } from "../../domain/errors.js";
import type { Page } from "../../domain/page.js";
import type { AppliedProperties } from "../../domain/properties/apply.js";
import type { StoredProperties } from "../../domain/properties/stored-values.js";
import type { DefinitionOf, PropertyDefinition } from "../../domain/schema.js";
import { abbreviate } from "../../domain/text.js";
import { sumBy } from "../../lists.js";
import { recordPageToReconvert } from "../../storage/databases/conversions.js";
import {
  incrementVersionsOfAllPages,
  updateSchema,
  type VersionedDatabase,
} from "../../storage/databases/databases.js";
import { readPageBytes } from "../../storage/pages/page-bytes.js";
import { incrementPageVersions } from "../../storage/pages/pages.js";
import {
  type IndexedPage,
  insertPropertyValues,
  replacePropertyValues,
} from "../../storage/pages/property-values.js";
import { cleanFullPages, findFullPages, replaceLinks } from "../../storage/pages/relations.js";
import { getBytes } from "../../storage/row-limit.js";
import type { WriteScope } from "../execution/scope.js";

/**
 * Stores what an edit of property values changes besides the page itself: rows in property_values, links, and new options in the
 * schema. Returns the number by which it increases the versions of all pages of the database. Throws a DomainError (validation) for a
 * link to a page that has MAX_VALUES_OF_LINKED_PAGE values and links, or for links to more such pages than one transaction cleans.
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
): Promise<0 | 1> {
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
  return storeLinks(scope, indexed, propertyEdit.links);
}

/** Replaces the links of a page, and increments the versions of pages whose links change. */
async function storeLinks(
  scope: WriteScope,
  page: IndexedPage,
  links: AppliedProperties["links"],
): Promise<0 | 1> {
  const relationsByPage = new Map<string, DefinitionOf<"relation">>();
  /** Ids of the databases of the pages whose links change, by the id of the page. */
  const changedPages = new Map<string, string>();
  for (const [relation, targetIds] of links) {
    const { addedIds, removedIds } = await replaceLinks(scope, page, relation, targetIds);
    if (relation.syncedPropertyId === null) continue;
    for (const id of addedIds) relationsByPage.set(id, relation);
    for (const id of [...addedIds, ...removedIds]) changedPages.set(id, relation.databaseId);
  }
  // Counted once for all relations, because counting 10,000 links takes 1 ms, and each of 100 relations can link to the same pages.
  const linkedPages = [...relationsByPage].map(([id, { databaseId }]) => ({ id, databaseId }));
  const fullPages = await findFullPages(scope, linkedPages, MAX_VALUES_OF_LINKED_PAGE + 1);
  const cleanedPages = fullPages.slice(0, MAX_PAGES_PER_VALUE_COUNT);
  const firstFull = await cleanFullPages(scope, cleanedPages, MAX_VALUES_OF_LINKED_PAGE + 1).next();
  const refusedId = firstFull.done === true ? fullPages[cleanedPages.length]?.id : firstFull.value;
  const relation = refusedId === undefined ? undefined : relationsByPage.get(refusedId);
  if (relation !== undefined) throw createTooManyLinksError(relation, String(refusedId));
  // The version of the page itself has been incremented.
  changedPages.delete(page.id);
  const changedIds = [...changedPages.keys()];
  if (await hasFewBytes(scope, changedIds)) {
    await incrementPageVersions(scope, changedIds);
    return 0;
  }
  const databaseIds = new Set(changedPages.values());
  await incrementVersionsOfAllPages(scope, [...databaseIds]);
  return databaseIds.has(page.databaseId) ? 1 : 0;
}

async function hasFewBytes(scope: WriteScope, pageIds: readonly string[]): Promise<boolean> {
  if (pageIds.length * MAX_PAGE_BYTES <= MAX_LINKED_BYTES) return true;
  const sizes = await readPageBytes(scope, pageIds);
  return sumBy(sizes, getBytes) <= MAX_LINKED_BYTES;
}

function createTooManyLinksError({ name }: PropertyDefinition, pageId: string): DomainError {
  return createValidationError(
    `${abbreviate(name)}: the page ${pageId} has ${MAX_VALUES_OF_LINKED_PAGE} values and links, so that no other page can add a link. ` +
      "Remove links from it first, delete linked pages in the trash permanently, or link fewer such pages in one request.",
  );
}
