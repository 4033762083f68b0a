import { findDatabases, listDatabaseIds, readDatabaseBytes } from "../storage/databases.js";
import { sortByIds } from "./by-id.js";
import { createListResult, type Pagination, type ListResult, readPartById } from "./list.js";
import { type DatabaseBody, presentDatabases } from "./present/database.js";
import type { ReadScope } from "./scope.js";

/**
 * Lists the databases of the workspace that are not in the trash, oldest first. Throws a DomainError (validation) for an
 * invalid cursor.
 */
export async function listDatabases(scope: ReadScope, range: Pagination): Promise<ListResult<DatabaseBody>> {
  const part = await readPartById("databases", range, (after, limit) => listDatabaseIds(scope, after, limit));
  const bytes = await readDatabaseBytes(
    scope,
    part.elements.map(({ id }) => id),
  );
  const readable = part.takeWithinReadLimit(({ id }) => bytes.get(id) ?? 0);
  const ids = readable.elements.map(({ id }) => id);
  const databases = sortByIds(await findDatabases(scope, ids), ids);
  return createListResult(readable, await presentDatabases(scope, databases));
}
