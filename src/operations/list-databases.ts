import { listDatabases as findDatabases } from "../storage/databases.js";
import { type ListRange, type ListResult, readById } from "./list.js";
import { type DatabaseBody, presentDatabases } from "./present/database.js";
import type { ReadScope } from "./scope.js";

/**
 * Lists the databases of the workspace that are not in the trash, oldest first.
 *
 * @throws DomainError (validation) for an invalid cursor
 */
export async function listDatabases(scope: ReadScope, range: ListRange): Promise<ListResult<DatabaseBody>> {
  const { results, nextCursor } = await readById("databases", range, (after, limit) =>
    findDatabases(scope.db, scope.workspaceId, after, limit),
  );
  return { results: await presentDatabases(scope, results), nextCursor };
}
