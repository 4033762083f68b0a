import { createNotFoundError, createWrongKindError } from "../../domain/errors.js";
import { normalizeId } from "../../domain/ids.js";
import { createInTrashError, type Parent } from "../../domain/stored-object.js";
import { findDatabase, type VersionedDatabase } from "../../storage/databases/databases.js";
import { findObject } from "../../storage/objects/objects.js";
import { findUnparsedPage, type FoundPage, parsePage, type UnparsedPage } from "../../storage/pages/pages.js";
import type { Scope } from "../execution/scope.js";

/** Reads a page. Throws a DomainError (not_found), or (validation) when the id is that of a database. */
export async function requirePage(scope: Scope, id: string): Promise<FoundPage> {
  const found = await requireUnparsedPage(scope, id);
  return { ...found, page: parsePage(found.page) };
}

/** Reads the page that gets a new page or database. Throws like requirePage, and a DomainError (validation) if it is in the trash. */
export async function requireParentPage(scope: Scope, id: string): Promise<Parent> {
  const { page } = await requireUnparsedPage(scope, normalizeId(id));
  if (page.inTrash) throw createInTrashError();
  return { type: "page_id", id: page.id };
}

/** Reads a page without parsing its JSON. Throws like requirePage. */
export async function requireUnparsedPage(scope: Scope, id: string): Promise<FoundPage<UnparsedPage>> {
  return (await findUnparsedPage(scope, id)) ?? refuseId(scope, id, "page");
}

/** Reads a database. Throws a DomainError (not_found), or (validation) when the id is that of a page. */
export async function requireDatabase(scope: Scope, id: string): Promise<VersionedDatabase> {
  return (await findDatabase(scope, id)) ?? refuseId(scope, id, "database");
}

/** Throws the error for an id that belongs to no object of the required kind. */
async function refuseId(scope: Scope, id: string, required: "page" | "database"): Promise<never> {
  const kind = (await findObject(scope, id))?.kind;
  throw kind !== required && (kind === "page" || kind === "database")
    ? createWrongKindError(id, kind)
    : createNotFoundError(required, id);
}
