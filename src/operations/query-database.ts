import type { components } from "../../generated/types.js";
import { requireId } from "../domain/ids.js";
import type { PropertyDefinition } from "../domain/schema.js";
import { requestedTrashState } from "../domain/trash.js";
import type { VersionedDatabase } from "../storage/databases.js";
import { findPages } from "../storage/pages.js";
import type { FoundPage } from "../storage/query/page-rows.js";
import type { ListRange, ListResult } from "./list.js";
import { queryPages } from "./load/query-pages.js";
import { requireDatabase } from "./load/require.js";
import { findCachedPage, presentAndCache } from "./present/cached-page.js";
import { type PageBody, presentPages } from "./present/page.js";
import { type PropertyFilter, readPropertyFilter } from "./property-filter.js";
import { takeFitting } from "./response-size.js";
import type { ReadScope } from "./scope.js";

/**
 * Finds pages of a database by a filter, in an order.
 *
 * @param filter names or ids of the properties to show; all when omitted
 * @throws DomainError (not_found), or (validation) when the query or its cursor does not fit the database
 */
export async function queryDatabase(
  scope: ReadScope,
  databaseId: string,
  input: Omit<components["schemas"]["QueryDatabaseBody"], "start_cursor" | "page_size">,
  range: ListRange,
  filter?: PropertyFilter,
): Promise<ListResult<PageBody>> {
  const database = await requireDatabase(scope, requireId(databaseId));
  const { pages, nextCursor, cursorAfter } = await queryPages(scope, database, {
    filter: input.filter,
    sorts: input.sorts,
    cursor: range.cursor,
    pageSize: range.size,
    inTrash: requestedTrashState(input) ?? false,
    now: Date.now(),
  });
  const only = readPropertyFilter(database.schema, filter);
  const bodies = await presentFound(scope, database, pages, only);
  const results = takeFitting(bodies);
  if (results.length === bodies.length) return { results, nextCursor };
  const last = pages.find(({ id }) => id === results.at(-1)?.id);
  return { results, nextCursor: last === undefined ? null : cursorAfter(last) };
}

/** Converts found pages to response bodies in their order. Pages whose cached body is current are not read again. */
async function presentFound(
  scope: ReadScope,
  { schema, version: schemaVersion }: VersionedDatabase,
  found: readonly FoundPage[],
  only: readonly PropertyDefinition[] | undefined,
): Promise<PageBody[]> {
  const { db, workspaceId } = scope;
  const bodies = new Map<string, PageBody>();
  if (only === undefined) {
    for (const { id, version } of found) {
      const cached = findCachedPage(scope, id, { version, schemaVersion });
      if (cached !== undefined) bodies.set(id, cached.body);
    }
  }
  const missing = found.filter(({ id }) => !bodies.has(id)).map(({ id }) => id);
  const others = [];
  for (const { page, version } of await findPages(db, workspaceId, missing)) {
    const versioned = { page, version, schema, schemaVersion };
    const result = only === undefined ? presentAndCache(scope, versioned) : undefined;
    if (result === undefined) others.push(versioned);
    else bodies.set(page.id, result.body);
  }
  for (const body of await presentPages(scope, others, only)) bodies.set(body.id, body);
  return found.flatMap(({ id }) => bodies.get(id) ?? []);
}
