import { setImmediate } from "node:timers/promises";
import type { components } from "../../generated/types.js";
import { requireId } from "../domain/ids.js";
import { MAX_READ_BYTES, MAX_RESPONSE_BYTES } from "../budgets.js";
import type { PropertyDefinition, Schema } from "../domain/schema.js";
import { readTrashState } from "../domain/trash.js";
import type { VersionedDatabase } from "../storage/databases.js";
import { readPageSizes } from "../storage/page-sizes.js";
import { findPages } from "../storage/pages.js";
import type { PageRow } from "../storage/query/page-rows.js";
import type { ListRange, ListResult } from "./list.js";
import { queryPages } from "./load/query-pages.js";
import { requireDatabase } from "./load/require.js";
import { findCachedPage, presentAndCache } from "./present/cached-page.js";
import { type PageBody, presentPages } from "./present/page.js";
import { findRollupSources, readRollupBytes } from "./present/rollup-sources.js";
import { type PropertyFilter, readPropertyFilter } from "./property-filter.js";
import { estimateSize, splitBySize, takeWithinSize, truncateToResponseSize } from "./response-size.js";
import type { ReadScope } from "./scope.js";

/** Bytes of values that are converted without a break: a response can have some fifty times as many. */
const PART_BYTES = 250_000;

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
    inTrash: readTrashState(input) ?? false,
    now: Date.now(),
  });
  const only = readPropertyFilter(database.schema, filter);
  const cached = only === undefined ? findCachedBodies(scope, database, pages) : new Map<string, PageBody>();
  const { shown, bytesOf } = await takeWithinReadLimit(scope, database.schema, only, pages, cached);
  const last = shown.length < pages.length ? shown.at(-1) : undefined;
  const bodies = await presentFound(scope, database, splitBySize(shown, PART_BYTES, bytesOf), only, cached);
  return truncateToResponseSize(
    bodies,
    shown,
    last === undefined ? nextCursor : cursorAfter(last),
    cursorAfter,
  );
}

/** Finds the cached response bodies that are up to date, by page id. */
function findCachedBodies(
  scope: ReadScope,
  { version: schemaVersion }: VersionedDatabase,
  pages: readonly PageRow[],
): Map<string, PageBody> {
  const bodies = new Map<string, PageBody>();
  for (const { id, version } of pages) {
    const cached = findCachedPage(scope, id, { version, schemaVersion });
    if (cached !== undefined) bodies.set(id, cached.body);
  }
  return bodies;
}

/**
 * Returns as many pages as one response may read, and the bytes that each reads: at least one page, and none after
 * MAX_READ_BYTES. Pages with a cached body are not read.
 */
async function takeWithinReadLimit(
  scope: ReadScope,
  schema: Schema,
  only: readonly PropertyDefinition[] | undefined,
  pages: readonly PageRow[],
  cached: ReadonlyMap<string, PageBody>,
): Promise<{ readonly shown: readonly PageRow[]; readonly bytesOf: (page: PageRow) => number }> {
  const ids = pages.flatMap(({ id }) => (cached.has(id) ? [] : [id]));
  if (ids.length === 0) return { shown: pages, bytesOf: () => 0 };
  const sizes = await readPageSizes(scope.db, scope.workspaceId, ids);
  const valueBytes = new Map(sizes.map(({ id, bytes }) => [id, bytes]));
  const sources = await findRollupSources(scope, schema, only ?? schema.definitions);
  const rollupBytes = await readRollupBytes(scope, sources, ids);
  const bytesOf = ({ id }: PageRow): number => (valueBytes.get(id) ?? 0) + (rollupBytes.get(id) ?? 0);
  return { shown: takeWithinSize(pages, MAX_READ_BYTES, bytesOf), bytesOf };
}

/**
 * Converts found pages to response bodies in their order, until they exceed the size of a response. Pages with a cached body
 * are not read again.
 *
 * @param parts pages that are converted in one turn of the event loop
 */
async function presentFound(
  scope: ReadScope,
  database: VersionedDatabase,
  parts: readonly (readonly PageRow[])[],
  only: readonly PropertyDefinition[] | undefined,
  cached: ReadonlyMap<string, PageBody>,
): Promise<PageBody[]> {
  const bodies: PageBody[] = [];
  let bytes = 0;
  for (const part of parts) {
    if (bodies.length > 0) await setImmediate();
    for (const body of await presentPart(scope, database, part, only, cached)) {
      bodies.push(body);
      if (parts.length > 1) bytes += estimateSize(body);
    }
    // The last one does not fit, so that the caller continues the list before it.
    if (bodies.length > 1 && bytes > MAX_RESPONSE_BYTES) break;
  }
  return bodies;
}

/** Converts the pages of one part, in their order. */
async function presentPart(
  scope: ReadScope,
  { schema, version: schemaVersion }: VersionedDatabase,
  found: readonly PageRow[],
  only: readonly PropertyDefinition[] | undefined,
  cached: ReadonlyMap<string, PageBody>,
): Promise<PageBody[]> {
  const bodies = new Map(cached);
  const missing = found.filter(({ id }) => !bodies.has(id)).map(({ id }) => id);
  const others = [];
  for (const { page, version } of await findPages(scope.db, scope.workspaceId, missing)) {
    const versioned = { page, version, schema, schemaVersion };
    const result = only === undefined ? presentAndCache(scope, versioned) : undefined;
    if (result === undefined) others.push(versioned);
    else bodies.set(page.id, result.body);
  }
  for (const body of await presentPages(scope, others, only)) bodies.set(body.id, body);
  return found.flatMap(({ id }) => bodies.get(id) ?? []);
}
