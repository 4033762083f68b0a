import { requireId } from "../domain/ids.js";
import { requirePage } from "./load/pages-and-databases.js";
import { findCurrentPage, presentAndCache } from "./present/cached-page.js";
import { type EncodedPage, type PageBody, type PageResult, presentPage } from "./present/page.js";
import { type PropertyFilter, resolvePropertyFilter } from "./property-filter.js";
import type { ReadScope } from "./scope.js";

/**
 * Retrieves a page with all properties or those of `filter`. Throws a DomainError (not_found), or (validation) when the id
 * is that of a database or the page lacks a property.
 */
export async function retrievePage(
  scope: ReadScope,
  pageId: string,
  filter?: PropertyFilter,
): Promise<PageResult<PageBody | EncodedPage>> {
  const id = requireId(pageId);
  const cached = filter === undefined ? await findCurrentPage(scope, id) : undefined;
  if (cached !== undefined) return { body: cached, entityTag: cached.entityTag };
  const page = await requirePage(scope, id);
  const only = resolvePropertyFilter(page.schema, filter);
  const encoded = only === undefined ? presentAndCache(scope, page) : undefined;
  return encoded === undefined
    ? presentPage(scope, page, only)
    : { body: encoded, entityTag: encoded.entityTag };
}
