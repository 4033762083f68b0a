import { REPEATED_BYTES_FACTOR } from "../budgets.js";
import { TITLE_SCHEMA } from "../domain/schema.js";
import { findDatabases, readDatabaseBytes } from "../storage/databases/databases.js";
import { readLinkBytes } from "../storage/pages/page-bytes.js";
import { findPages } from "../storage/pages/pages.js";
import type { SearchResult } from "../storage/query/search.js";
import { groupIdsByKind } from "../storage/objects/titles.js";
import { getIds, indexById, sortByIds } from "../lists.js";
import type { Pagination } from "./load/list-parts.js";
import { findByTitle, type TitleSearch } from "./load/find-by-title.js";
import { type DatabaseBody, presentDatabases } from "./present/database.js";
import { EncodedBody, type EncodedList, joinResults, presentList } from "./present/list.js";
import { type PageBody, presentPages } from "./present/page.js";
import { createRollupBudget, type ByteBudget } from "./present/rollups.js";
import type { ReadScope } from "./execution/scope.js";

/** Finds pages and databases by words of their titles, by last edit. Throws a DomainError (invalid_cursor). */
export async function search(
  scope: ReadScope,
  input: TitleSearch,
  pagination: Pagination,
): Promise<EncodedList<PageBody | DatabaseBody>> {
  const part = await findByTitle(scope, input, pagination);
  const { readBytes, schemaBytes } = await estimateBytes(scope, part.elements);
  const getReadBytes = ({ id }: SearchResult): number => readBytes.get(id) ?? 0;
  const getTurnBytes = (object: SearchResult): number =>
    getReadBytes(object) + REPEATED_BYTES_FACTOR * (schemaBytes.get(object.id) ?? 0);
  const rollupBudget = createRollupBudget(scope);
  const encodeBatch = async (objects: readonly SearchResult[]) =>
    (await presentObjects(scope, objects, rollupBudget)).map((body) => new EncodedBody(body));
  return joinResults(await presentList(scope, part, getReadBytes, encodeBatch, getTurnBytes));
}

/**
 * Estimates the bytes that are read for each object, by id, and the bytes of its schema. A database counts as read only for the first
 * object that needs its schema.
 */
async function estimateBytes(scope: ReadScope, objects: readonly SearchResult[]) {
  // Together, because each wait takes several turns of the event loop beside other workspaces on PostgreSQL.
  const [linkBytes, databaseBytes] = await Promise.all([
    readLinkBytes(scope, groupIdsByKind(objects).pages),
    readDatabaseBytes(scope, getDatabaseIds(objects)),
  ]);
  const schemaBytes = new Map(
    objects.map(({ id, databaseId }) => [id, databaseBytes.get(databaseId ?? "") ?? 0]),
  );
  const counted = new Set<string | null>();
  const readBytes = new Map(
    objects.map(({ id, databaseId, bytes: pageBytes }) => {
      const bytes = counted.has(databaseId) ? 0 : (schemaBytes.get(id) ?? 0);
      counted.add(databaseId);
      return [id, bytes + pageBytes + (linkBytes.get(id) ?? 0)];
    }),
  );
  return { readBytes, schemaBytes };
}

/** Returns the ids of the databases whose schemas objects need. Those of other parents are the ids of no database. */
function getDatabaseIds(objects: readonly SearchResult[]): string[] {
  return [...new Set(objects.flatMap(({ databaseId }) => databaseId ?? []))];
}

async function presentObjects(
  scope: ReadScope,
  objects: readonly SearchResult[],
  rollupBudget: ByteBudget,
): Promise<(PageBody | DatabaseBody)[]> {
  const ids = groupIdsByKind(objects);
  const [pages, databases] = await Promise.all([
    findPages(scope, ids.pages),
    findDatabases(scope, getDatabaseIds(objects)),
  ]);
  const databasesById = indexById(databases);
  const pagesWithSchema = pages.map((page) => {
    const { parent } = page;
    const schema = parent.type === "database_id" ? databasesById.get(parent.id)?.schema : undefined;
    return { page, schema: schema ?? TITLE_SCHEMA };
  });
  const bodies = [
    ...(await presentPages(scope, pagesWithSchema, { rollupBudget })),
    ...(await presentDatabases(scope, sortByIds(databases, ids.databases))),
  ];
  return sortByIds(bodies, getIds(objects));
}
