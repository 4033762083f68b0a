import { normalizeId } from "../domain/ids.js";
import { parsePage } from "../storage/pages.js";
import { requireStoredPage } from "./load/pages-and-databases.js";
import { findCurrentCachedPage, encodeAndCache } from "./present/cached-page.js";
import { type EncodedPage, type PageBody, type PageResult, presentPage } from "./present/page.js";
import { resolvePropertyFilter } from "./present/property-filter.js";
import type { ReadScope } from "./execution/scope.js";

/**
 * Retrieves a page with all properties or those of `propertyFilter`. Throws a DomainError: (not_found), or (validation) when the id
 * is that of a database or the page lacks a property.
 */
export async function retrievePage(
  scope: ReadScope,
  pageId: string,
  propertyFilter?: readonly string[],
): Promise<PageResult<PageBody | EncodedPage>> {
  const id = normalizeId(pageId);
  const cached = propertyFilter === undefined ? await findCurrentCachedPage(scope, id) : undefined;
  if (cached !== undefined) return { body: cached, entityTag: cached.entityTag };
  const found = await requireStoredPage(scope, id);
  const shownProperties = resolvePropertyFilter(found.schema, propertyFilter);
  const encoded = shownProperties === undefined ? encodeAndCache(scope, found) : undefined;
  return encoded === undefined
    ? presentPage(scope, { ...found, page: parsePage(found.page) }, shownProperties)
    : { body: encoded, entityTag: encoded.entityTag };
}
