import type { Schemas } from "../domain/api-schemas.js";
import { normalizeId } from "../domain/ids.js";
import { changePage } from "../domain/page.js";
import { applyProperties } from "../domain/properties/apply.js";
import { isTextProperty } from "../domain/schema.js";
import { updatePage as storePage } from "../storage/pages.js";
import { indexPageTexts } from "../storage/text-index.js";
import { storePropertyEdit } from "./change/property-edit.js";
import { setInTrash } from "./change/trash.js";
import { checkIfMatch } from "./entity-tag.js";
import { checkReferences } from "./check/references.js";
import { requirePage } from "./load/pages-and-databases.js";
import { type PageResult, presentPage } from "./present/page.js";
import type { WriteScope } from "./scope.js";
import { createArchivedError, parseTrashState } from "../domain/stored-object.js";

/**
 * Updates properties, icon and cover of a page, moves it to the trash or restores it. Throws a DomainError: (not_found),
 * (validation) when it is in the trash and not restored or a value is invalid, or (conflict) when it does not match If-Match.
 */
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
  if (isEdited && page.inTrash && inTrash) throw createArchivedError();

  const isMoved = await setInTrash(scope, "page", page, inTrash);
  const current = isMoved ? await requirePage(scope, page.id) : found;
  if (!isEdited) return presentPage(scope, current);

  const propertyEdit = applyProperties(schema, page.properties, properties);
  await checkReferences(scope, { propertyEdit });
  const changed = changePage(current.page, input, propertyEdit.stored, scope.edit);
  await storePage(scope, changed);
  if (propertyEdit.changedProperties.some(isTextProperty)) {
    await indexPageTexts(scope, changed, schema.definitions, { isNew: false });
  }
  if (page.parent.type === "database_id") {
    const database = { id: page.parent.id, schema, conversionJobId: found.conversionJobId };
    await storePropertyEdit(scope, changed, database, propertyEdit, { isNew: false });
  }
  return presentPage(scope, { page: changed, schema: propertyEdit.schema, version: current.version + 1 });
}
