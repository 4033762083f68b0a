import type { Kysely } from "kysely";
import { type DomainError, notFound, wrongKind } from "../domain/errors.js";
import type { Tables } from "./tables.js";

/**
 * The error for a database that was not found: its id may be that of a page.
 *
 * @param db `store.read`, or the transaction of a job.
 */
export async function missingDatabase(
  db: Kysely<Tables>,
  workspaceId: string,
  id: string,
): Promise<DomainError> {
  const isPage = await exists(db, "pages", workspaceId, id);
  return isPage ? wrongKind(id, "page", "database") : notFound("database", id);
}

/** The error for a page that was not found: its id may be that of a database. */
export async function missingPage(db: Kysely<Tables>, workspaceId: string, id: string): Promise<DomainError> {
  const isDatabase = await exists(db, "databases", workspaceId, id);
  return isDatabase ? wrongKind(id, "database", "page") : notFound("page", id);
}

async function exists(
  db: Kysely<Tables>,
  table: "pages" | "databases",
  workspaceId: string,
  id: string,
): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
