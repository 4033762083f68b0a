import { requireId } from "../domain/ids.js";
import { requirePage } from "./load/pages-and-databases.js";
import { findCurrentPage, presentAndCache } from "./present/cached-page.js";
import { type PageResult, presentPage } from "./present/page.js";
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
): Promise<PageResult> {
  const id = requireId(pageId);
  const cached = filter === undefined ? await findCurrentPage(scope, id) : undefined;
  if (cached !== undefined) return cached;
  const page = await requirePage(scope, id);
  const only = resolvePropertyFilter(page.schema, filter);
  return (only === undefined ? presentAndCache(scope, page) : undefined) ?? presentPage(scope, page, only);
}
