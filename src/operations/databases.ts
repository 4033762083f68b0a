import { normalizeId } from "../domain/ids.js";
import { findDatabases, findDatabaseIdsAfter, readDatabaseBytes } from "../storage/databases/databases.js";
import { getIds, sortByIds } from "../lists.js";
import { type Pagination, type ListResult, readListPart } from "./load/list-parts.js";
import { requireDatabase } from "./load/pages-and-databases.js";
import { type DatabaseBody, presentDatabase, presentDatabases } from "./present/database.js";
import { presentList } from "./present/list.js";
import type { ReadScope } from "./execution/scope.js";

/** Lists the databases outside of the trash, oldest first. Throws a DomainError (invalid_cursor). */
export async function listDatabases(
  scope: ReadScope,
  pagination: Pagination,
): Promise<ListResult<DatabaseBody>> {
  const part = await readListPart("databases", pagination, (after, limit) =>
    findDatabaseIdsAfter(scope, after, limit),
  );
  const bytes = await readDatabaseBytes(scope, getIds(part.elements));
  const getReadBytes = ({ id }: { readonly id: string }): number => bytes.get(id) ?? 0;
  return presentList(scope, part, getReadBytes, async (batch) => {
    const ids = getIds(batch);
    return presentDatabases(scope, sortByIds(await findDatabases(scope, ids), ids));
  });
}

/** Retrieves a database. Throws a DomainError (not_found), or (validation) when the id is that of a page. */
export async function retrieveDatabase(scope: ReadScope, databaseId: string): Promise<DatabaseBody> {
  return presentDatabase(scope, await requireDatabase(scope, normalizeId(databaseId)));
}
