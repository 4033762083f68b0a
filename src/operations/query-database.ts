import { MAX_READ_BYTES, REPEATED_BYTES_FACTOR } from "../budgets.js";
import type { Schemas } from "../domain/api-schemas.js";
import { normalizeId } from "../domain/ids.js";
import { mayChangeWithTime } from "../domain/query/date-range.js";
import { listFollowedRelations } from "../domain/query/rollup-source.js";
import type { PropertyDefinition, Schema } from "../domain/schema.js";
import { parseTrashState } from "../domain/stored-object.js";
import type { VersionedDatabase } from "../storage/databases/databases.js";
import { readLinkBytes } from "../storage/pages/page-bytes.js";
import { findUnparsedPages } from "../storage/pages/pages.js";
import type { ListedPage } from "../storage/query/page-list-query.js";
import { getIds, indexById, sumBy } from "../lists.js";
import { iterateInTurns } from "./execution/event-loop-turns.js";
import type { ListResult, Pagination } from "./load/list-parts.js";
import { queryPages } from "./load/query-pages.js";
import { requireDatabase } from "./load/pages-and-databases.js";
import { cachePage, type EncodedPage, encodePages, getCachedPage } from "./present/encoded-page.js";
import { selectRelationIds } from "./present/links.js";
import { type EncodedList, joinResults, presentList } from "./present/list.js";
import type { PageBody } from "./present/page.js";
import { estimateRollupBytes, loadRollupSources, type RollupSources } from "./present/rollup-sources.js";
import { resolvePropertyFilter } from "./present/property-filter.js";
import type { Versioned } from "./execution/response-cache.js";
import type { ReadScope } from "./execution/scope.js";

type Query = Omit<Schemas["QueryDatabaseBody"], "start_cursor" | "page_size">;

/** Lists the pages of a database that match a query. Throws a DomainError (not_found), or (validation) for an invalid query. */
export async function queryDatabase(
  scope: ReadScope,
  databaseId: string,
  input: Query,
  pagination: Pagination,
  propertyFilter?: readonly string[],
): Promise<EncodedList<PageBody>> {
  const { cache, workspaceId } = scope;
  const id = normalizeId(databaseId);
  const readList = async () =>
    queryLoadedDatabase(scope, await requireDatabase(scope, id), input, pagination, propertyFilter);
  // Read before the database and its pages, so that a change in between makes the cached list invalid.
  const generation = isCacheable(input, pagination, propertyFilter) ? scope.getGeneration() : undefined;
  if (generation === undefined) return joinResults(await readList());
  const key = `query ${workspaceId} ${id} ${pagination.size} ${JSON.stringify(input)}`;
  const version = String(generation);
  const cached = cache.get<EncodedList<PageBody> & Versioned>(key, version);
  if (cached !== undefined) return cached;
  const pages = await readList();
  // A page without a version can change together with another object.
  const isComplete = pages.results.every((page) => page.version !== undefined);
  const list = { ...joinResults(pages), version: isComplete ? version : undefined };
  cache.set(key, list);
  return list;
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

/** Queries a database that is loaded already. See queryDatabase. */
export async function queryLoadedDatabase(
  scope: ReadScope,
  database: VersionedDatabase,
  input: Query,
  pagination: Pagination,
  propertyFilter?: readonly string[],
): Promise<ListResult<EncodedPage>> {
  const { schema } = database;
  const part = await queryPages(scope, database, {
    filter: input.filter,
    sorts: input.sorts,
    cursor: pagination.cursor,
    pageSize: pagination.size,
    inTrash: parseTrashState(input) ?? false,
    now: Date.now(),
  });
  const shownProperties = resolvePropertyFilter(schema, propertyFilter);
  const properties = shownProperties ?? schema.definitions;
  // The pages of cached bodies are not read again.
  const cached = findCachedBodies(scope, database, shownProperties === undefined ? part.elements : []);
  const uncached = part.elements.filter(({ id }) => !cached.has(id));
  const readBytes = await estimateReadBytes(scope, schema, properties, uncached);
  const emptyBytes = REPEATED_BYTES_FACTOR * estimateEmptyBytes(properties);
  const getReadBytes = ({ id }: ListedPage): number => (cached.has(id) ? 0 : (readBytes.get(id) ?? Infinity));
  const getTurnBytes = (page: ListedPage): number =>
    getReadBytes(page) + (cached.has(page.id) ? 0 : emptyBytes);
  // Loaded once for all batches, because the related schemas can take a second to read. Not before the first one, because their
  // options would take memory while a long list waits.
  let sources: RollupSources | undefined;
  const encodeBatch = async (batch: readonly ListedPage[]): Promise<EncodedPage[]> => {
    const uncachedIds = getIds(batch.filter(({ id }) => !cached.has(id)));
    if (uncachedIds.length > 0) sources ??= await loadRollupSources(scope, schema, properties);
    const pages = await findVersionedPages(scope, database, uncachedIds);
    const encoded = await encodePages(scope, pages, { shownProperties, sources });
    for (const page of encoded) cachePage(scope, page);
    const encodedById = indexById(encoded);
    return batch.flatMap(({ id }) => cached.get(id) ?? encodedById.get(id) ?? []);
  };
  return presentList(scope, part, getReadBytes, encodeBatch, getTurnBytes);
}

/** Returns the cached response bodies that are up to date, by page id. */
function findCachedBodies(
  scope: ReadScope,
  { version: schemaVersion, lastEditedTime: schemaEditedTime, pagesVersion }: VersionedDatabase,
  pages: readonly ListedPage[],
): Map<string, EncodedPage> {
  const bodies = new Map<string, EncodedPage>();
  for (const { id, version, lastEditedTime } of pages) {
    const versions = { version: version + pagesVersion, schemaVersion, lastEditedTime, schemaEditedTime };
    const cached = getCachedPage(scope, id, versions);
    if (cached !== undefined) bodies.set(id, cached);
  }
  return bodies;
}

/** Bytes of the JSON of a property without its name and value: `"":{"id":"","type":""},`. */
const EMPTY_PROPERTY_BYTES = 60;

/** Estimates the bytes of the properties of a page without values in a response. */
function estimateEmptyBytes(properties: readonly PropertyDefinition[]): number {
  return sumBy(properties, ({ name }) => EMPTY_PROPERTY_BYTES + Buffer.byteLength(name));
}

/** Estimates the bytes that are read for each page, by id. Stops after MAX_READ_BYTES, and leaves out the other pages. */
async function estimateReadBytes(
  scope: ReadScope,
  schema: Schema,
  properties: readonly PropertyDefinition[],
  pages: readonly ListedPage[],
): Promise<ReadonlyMap<string, number>> {
  const readBytes = new Map<string, number>();
  if (pages.length === 0) return readBytes;
  const followedRelations = listFollowedRelations(properties, schema);
  const followedIds = followedRelations.map(({ relation }) => relation.id);
  const relationIds = new Set([...selectRelationIds(properties), ...followedIds]);
  const linkBytes = await readLinkBytes(scope, getIds(pages), [...relationIds]);
  let totalBytes = 0;
  for await (const part of iterateInTurns(scope, pages, ({ id }) => linkBytes.get(id) ?? 0)) {
    const rollupBytes = await estimateRollupBytes(scope, followedRelations, getIds(part));
    for (const { id, bytes } of part) {
      const pageBytes = bytes + (linkBytes.get(id) ?? 0) + (rollupBytes.get(id) ?? 0);
      readBytes.set(id, pageBytes);
      totalBytes += pageBytes;
    }
    if (totalBytes > MAX_READ_BYTES) break;
  }
  return readBytes;
}

async function findVersionedPages(
  scope: ReadScope,
  { schema, version: schemaVersion, lastEditedTime: schemaEditedTime, pagesVersion }: VersionedDatabase,
  ids: readonly string[],
) {
  const found = await findUnparsedPages(scope, ids);
  return found.map(({ page, version }) => ({
    page,
    version: version + pagesVersion,
    schema,
    schemaVersion,
    lastEditedTime: page.lastEditedTime,
    schemaEditedTime,
  }));
}
