import { createNotFoundError, createWrongKindError } from "../../domain/errors.js";
import { findDatabase, type VersionedDatabase } from "../../storage/databases.js";
import { findStoredPage, type FoundPage, parsePage, type StoredPage } from "../../storage/pages.js";
import { findTitles } from "../../storage/titles.js";
import type { Scope } from "../scope.js";

/** Reads a page. Throws a DomainError (not_found), or (validation) when the id is that of a database. */
export async function requirePage(scope: Scope, id: string): Promise<FoundPage> {
  const found = await requireStoredPage(scope, id);
  return { ...found, page: parsePage(found.page) };
}

/** Reads a page without parsing its JSON. Throws like requirePage. */
export async function requireStoredPage(scope: Scope, id: string): Promise<FoundPage<StoredPage>> {
  const found = await findStoredPage(scope, id);
  if (found !== undefined) return found;
  const databases = await findTitles(scope, { databases: [id] });
  throw databases.has(id) ? createWrongKindError(id, "database") : createNotFoundError("page", id);
}

/** Reads a database. Throws a DomainError (not_found), or (validation) when the id is that of a page. */
export async function requireDatabase(scope: Scope, id: string): Promise<VersionedDatabase> {
  const found = await findDatabase(scope, id);
  if (found !== undefined) return found;
  const pages = await findTitles(scope, { pages: [id] });
  throw pages.has(id) ? createWrongKindError(id, "page") : createNotFoundError("database", id);
}
