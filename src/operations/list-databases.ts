import { encodeCursor } from "../domain/cursor.js";
import { findDatabases, listDatabaseIds, readDatabaseBytes } from "../storage/databases.js";
import { type ListRange, type ListResult, readById } from "./list.js";
import { type DatabaseBody, presentDatabases } from "./present/database.js";
import { truncateToReadLimit, truncateToResponseSize } from "./response-size.js";
import type { ReadScope } from "./scope.js";

/**
 * Lists the databases of the workspace that are not in the trash, oldest first.
 *
 * @throws DomainError (validation) for an invalid cursor
 */
export async function listDatabases(scope: ReadScope, range: ListRange): Promise<ListResult<DatabaseBody>> {
  const { db, workspaceId } = scope;
  const cursorAfter = ({ id }: { readonly id: string }): string => encodeCursor("databases", [id]);
  const list = await readById("databases", range, (after, limit) =>
    listDatabaseIds(db, workspaceId, after, limit),
  );
  const bytes = await readDatabaseBytes(
    db,
    workspaceId,
    list.results.map(({ id }) => id),
  );
  const { results, nextCursor } = truncateToReadLimit(list, ({ id }) => bytes.get(id) ?? 0, cursorAfter);
  const ids = results.map(({ id }) => id);
  const databases = new Map((await findDatabases(db, workspaceId, ids)).map((each) => [each.id, each]));
  const bodies = await presentDatabases(
    scope,
    ids.flatMap((id) => databases.get(id) ?? []),
  );
  return truncateToResponseSize(bodies, results, nextCursor, cursorAfter);
}
