import type { Schemas } from "../domain/api-schemas.js";
import { normalizeId } from "../domain/ids.js";
import { changePage, type Page } from "../domain/page.js";
import { applyProperties } from "../domain/properties/apply.js";
import type { StoredProperties } from "../domain/properties/stored-values.js";
import { isTextProperty } from "../domain/schema.js";
import { type FoundPage, updatePage as storePage } from "../storage/pages/pages.js";
import { indexPageTexts } from "../storage/pages/text-index.js";
import { storePropertyEdit } from "./change/property-edit.js";
import { setInTrash } from "./change/trash.js";
import { checkIfMatch } from "./check/if-match.js";
import { checkReferences } from "./check/references.js";
import { requirePage } from "./load/pages-and-databases.js";
import { type PageResult, presentPage } from "./present/page.js";
import type { WriteScope } from "./execution/scope.js";
import { createInTrashError, parseTrashState } from "../domain/stored-object.js";

/** Updates a page, moves it to the trash or restores it. Throws a DomainError: (not_found), (validation), or (conflict) by If-Match. */
export async function updatePage(
  scope: WriteScope,
  pageId: string,
  input: Schemas["UpdatePageBody"],
  ifMatch?: string,
): Promise<PageResult> {
  const found = await requirePage(scope, normalizeId(pageId));
  checkIfMatch(ifMatch, found);
  const { page, schema } = found;
  const { icon, cover, properties = {} } = input;
  const isEdited = icon !== undefined || cover !== undefined || Object.keys(properties).length > 0;
  const inTrash = parseTrashState(input) ?? page.inTrash;
  if (!isEdited) return presentPage(scope, await movePage(scope, found, inTrash));
  // A new option would be an edit of the database. The move checks the parent of a page that is restored.
  if (page.inTrash ? inTrash : found.isDatabaseInTrash) throw createInTrashError();

  const propertyEdit = applyProperties(schema, selectKeptValues(found), properties);
  await checkReferences(scope, { propertyEdit });
  const edit = (before: Page): Page => changePage(before, input, propertyEdit.stored, scope.edit);
  // Checks the icon before the first write.
  const edited = edit(page);
  const current = await movePage(scope, found, inTrash);
  const changed = current === found ? edited : edit(current.page);
  await storePage(scope, changed);
  if (propertyEdit.changedProperties.some(isTextProperty)) {
    await indexPageTexts(scope, changed, schema.definitions, { isNew: false });
  }
  let version = current.version + 1;
  if (page.parent.type === "database_id") {
    const database = { id: page.parent.id, schema, conversionJobId: found.conversionJobId };
    version += await storePropertyEdit(scope, changed, database, propertyEdit, page.properties);
  }
  return presentPage(scope, { page: changed, schema: propertyEdit.schema, version });
}

/**
 * Selects the values of a page that an edit keeps: those of the properties of its database. Values of removed properties would
 * otherwise add up until a job removes them. A conversion in progress needs them.
 */
function selectKeptValues({ page, schema, conversionJobId }: FoundPage): StoredProperties {
  if (conversionJobId !== null) return page.properties;
  return Object.fromEntries(Object.entries(page.properties).filter(([id]) => schema.byId.has(id)));
}

/** Moves a page to the trash or restores it, and returns the moved page; the same page if it is there already. */
async function movePage(scope: WriteScope, found: FoundPage, inTrash: boolean): Promise<FoundPage> {
  const isMoved = await setInTrash(scope, "page", found.page, inTrash);
  return isMoved ? requirePage(scope, found.page.id) : found;
}
