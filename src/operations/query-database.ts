import { MAX_READ_BYTES } from "../budgets.js";
import type { Schemas } from "../domain/api-schemas.js";
import { normalizeId } from "../domain/ids.js";
import { mayChangeWithTime } from "../domain/query/date-range.js";
import type { PropertyDefinition } from "../domain/schema.js";
import { parseTrashState } from "../domain/stored-object.js";
import type { VersionedDatabase } from "../storage/databases.js";
import { readLinkBytes } from "../storage/page-bytes.js";
import { findStoredPages, parsePage } from "../storage/pages.js";
import type { ListedPage } from "../storage/query/page-list-query.js";
import { type EncodedJson, joinEncodedJson } from "../http/encoded-json.js";
import { getIds } from "../lists.js";
import { iterateInTurns } from "./execution/event-loop-turns.js";
import type { Pagination, ListResult } from "./present/list-parts.js";
import { queryPages } from "./load/query-pages.js";
import { requireDatabase } from "./load/pages-and-databases.js";
import { getCachedPage, encodeAndCache } from "./present/cached-page.js";
import { selectRelationIds } from "./present/links.js";
import { presentList } from "./present/list.js";
import { EncodedPage, type PageBody, presentPages } from "./present/page.js";
import { estimateRollupBytes, loadRollupSources, type RollupSources } from "./present/rollup-sources.js";
import { resolvePropertyFilter } from "./present/property-filter.js";
import type { ReadScope } from "./execution/scope.js";

type Query = Omit<Schemas["QueryDatabaseBody"], "start_cursor" | "page_size">;

/** A result that is cached, and sent several times. */
type EncodedResult = ListResult<PageBody, EncodedJson<readonly PageBody[]>>;

/** Lists the pages of a database that match a query. Throws a DomainError (not_found), or (validation) for an invalid query. */
export async function queryDatabase(
  scope: ReadScope,
  databaseId: string,
  input: Query,
  pagination: Pagination,
  propertyFilter?: readonly string[],
): Promise<ListResult<PageBody | EncodedPage> | EncodedResult> {
  const { cache, workspaceId } = scope;
  const id = normalizeId(databaseId);
  const readResult = async () =>
    listPages(scope, await requireDatabase(scope, id), input, pagination, propertyFilter);
  // Read before the database and its pages, so that a change in between makes the cached result invalid.
  const generation = isCacheable(input, pagination, propertyFilter) ? scope.getGeneration() : undefined;
  if (generation === undefined) return readResult();
  const key = `query ${workspaceId} ${id} ${pagination.size} ${JSON.stringify(input)}`;
  const version = String(generation);
  const cached = cache.get<EncodedResult>(key, version);
  if (cached !== undefined) return cached;
  const result = await readResult();
  const pages = result.results.filter((body) => body instanceof EncodedPage);
  if (pages.length < result.results.length) return result;
  const encoded = { ...result, results: joinEncodedJson(pages) };
  cache.set<EncodedResult>(key, version, encoded, key.length + encoded.results.bytes.length);
  return encoded;
}

/**
 * Whether the result of a query may be cached until something in the workspace changes. Only the beginning of a list is: programs
 * ask for it again and again, while one that reads the whole list would evict everything else.
 */
function isCacheable(
  { filter }: Query,
  { cursor }: Pagination,
  propertyFilter: readonly string[] | undefined,
): boolean {
  return cursor === undefined && propertyFilter === undefined && !mayChangeWithTime(filter);
}

/** Lists the pages of a database whose schema is loaded. See queryDatabase. */
export async function listPages(
  scope: ReadScope,
  database: VersionedDatabase,
  input: Query,
  pagination: Pagination,
  propertyFilter?: readonly string[],
): Promise<ListResult<PageBody | EncodedPage>> {
  const found = await queryPages(scope, database, {
    filter: input.filter,
    sorts: input.sorts,
    cursor: pagination.cursor,
    pageSize: pagination.size,
    inTrash: parseTrashState(input) ?? false,
    now: Date.now(),
  });
  const shownProperties = resolvePropertyFilter(database.schema, propertyFilter);
  const cached =
    shownProperties === undefined
      ? findCachedBodies(scope, database, found.elements)
      : new Map<string, EncodedPage>();
  const { schema } = database;
  // Once for all batches, because the related schemas can take a second to read.
  const isCached = cached.size === found.elements.length;
  const presented = isCached ? [] : (shownProperties ?? schema.definitions);
  const sources = await loadRollupSources(scope, schema, presented);
  const view = { scope, database, shownProperties, sources, cached };
  const getReadBytes = await estimateReadBytes(view, found.elements);
  return presentList(scope, found, getReadBytes, (pages) => presentBatch(view, pages));
}

/** The database of a query, and the parts of its pages that the response shows. */
interface QueryView {
  readonly scope: ReadScope;
  readonly database: VersionedDatabase;
  /** The properties to show; undefined for all. */
  readonly shownProperties: readonly PropertyDefinition[] | undefined;
  /** Sources of the rollups among the shown properties. */
  readonly sources: RollupSources;
  /** Cached response bodies that are up to date, by page id. Their pages are not read again. */
  readonly cached: ReadonlyMap<string, EncodedPage>;
}

function findCachedBodies(
  scope: ReadScope,
  { version: schemaVersion, pagesVersion }: VersionedDatabase,
  pages: readonly ListedPage[],
): Map<string, EncodedPage> {
  const bodies = new Map<string, EncodedPage>();
  for (const { id, version } of pages) {
    const cached = getCachedPage(scope, id, { version: version + pagesVersion, schemaVersion });
    if (cached !== undefined) bodies.set(id, cached);
  }
  return bodies;
}

/** Estimates the bytes that are read for each page. Stops after MAX_READ_BYTES, and returns Infinity for the other pages. */
async function estimateReadBytes(
  { scope, database: { schema }, shownProperties, sources, cached }: QueryView,
  pages: readonly ListedPage[],
): Promise<(page: ListedPage) => number> {
  const uncached = pages.filter(({ id }) => !cached.has(id));
  if (uncached.length === 0) return () => 0;
  const properties = shownProperties ?? schema.definitions;
  const followedIds = [...sources.byRollupId.values()].map(({ relation }) => relation.id);
  const relationIds = new Set([...selectRelationIds(properties), ...followedIds]);
  const linkBytes = await readLinkBytes(scope, getIds(uncached), [...relationIds]);
  const readBytes = new Map<string, number>();
  let totalBytes = 0;
  for await (const part of iterateInTurns(scope, uncached, ({ id }) => linkBytes.get(id) ?? 0)) {
    const rollupBytes = await estimateRollupBytes(scope, sources, getIds(part));
    for (const { id, bytes } of part) {
      const pageBytes = bytes + (linkBytes.get(id) ?? 0) + (rollupBytes.get(id) ?? 0);
      readBytes.set(id, pageBytes);
      totalBytes += pageBytes;
    }
    if (totalBytes > MAX_READ_BYTES) break;
  }
  return ({ id }) => (cached.has(id) ? 0 : (readBytes.get(id) ?? Infinity));
}

async function presentBatch(
  view: QueryView,
  pages: readonly ListedPage[],
): Promise<(PageBody | EncodedPage)[]> {
  const { scope, shownProperties, sources, cached } = view;
  const { schema, version: schemaVersion, pagesVersion } = view.database;
  const uncachedIds = pages.flatMap(({ id }) => (cached.has(id) ? [] : [id]));
  const bodies = new Map<string, PageBody | EncodedPage>();
  const uncacheable = [];
  for (const { page, version } of await findStoredPages(scope, uncachedIds)) {
    const versioned = { page, version: version + pagesVersion, schema, schemaVersion };
    const encoded = shownProperties === undefined ? encodeAndCache(scope, versioned) : undefined;
    if (encoded === undefined) uncacheable.push({ page: parsePage(page), schema });
    else bodies.set(page.id, encoded);
  }
  const presented = await presentPages(scope, uncacheable, { shownProperties, sources });
  for (const body of presented) bodies.set(body.id, body);
  return pages.flatMap(({ id }) => cached.get(id) ?? bodies.get(id) ?? []);
}
