import { normalizeId } from "../domain/ids.js";
import { requireDatabase } from "./load/pages-and-databases.js";
import { type DatabaseBody, presentDatabase } from "./present/database.js";
import type { ReadScope } from "./execution/scope.js";

/** Retrieves a database. Throws a DomainError (not_found), or (validation) when the id is that of a page. */
export async function retrieveDatabase(scope: ReadScope, databaseId: string): Promise<DatabaseBody> {
  return presentDatabase(scope, await requireDatabase(scope, normalizeId(databaseId)));
}
