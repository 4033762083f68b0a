import type { Kysely } from "kysely";
import type { components } from "../../generated/types.js";
import { DomainError, notFound } from "../domain/errors.js";
import { readOneMember } from "../domain/one-member.js";
import { archivedError, changePage, createPage, staysInTrash } from "../domain/page.js";
import type { Parent } from "../domain/object.js";
import { applyProperties } from "../domain/properties/apply.js";
import { TITLE_SCHEMA, type Schema } from "../domain/schema.js";
import { findDatabase } from "../storage/databases.js";
import { addPage, editPage, takeUniqueNumber } from "../storage/page-edits.js";
import { findPage, type PageWithSchema } from "../storage/pages.js";
import type { Tables } from "../storage/tables.js";
import { idFrom } from "./ids.js";

/** Who writes, and when. */
export interface Author {
  readonly workspaceId: string;
  /** The id of the user. */
  readonly userId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Creates a page as a request says.
 *
 * @throws DomainError when what it is to be in is not there or in the trash, or a value cannot be taken
 */
export async function createPageFrom(
  tx: Kysely<Tables>,
  author: Author,
  body: components["schemas"]["CreatePageBody"],
): Promise<PageWithSchema> {
  const { workspaceId, userId, now } = author;
  const { parent, schema } = await findParent(tx, workspaceId, body.parent);
  const edit = applyProperties(schema, {}, body.properties);
  const uniqueId = schema.definitions.find((definition) => definition.type === "unique_id");
  const stored =
    uniqueId === undefined || parent.type !== "database_id"
      ? edit.stored
      : { ...edit.stored, [uniqueId.id]: await takeUniqueNumber(tx, workspaceId, parent.id) };
  const page = createPage(parent, stored, body, userId, now);
  await addPage(tx, workspaceId, page, schema, edit);
  return { page, schema: edit.schema };
}

/** Finds what a page is to be in, and the properties that pages have there. */
async function findParent(
  tx: Kysely<Tables>,
  workspaceId: string,
  input: components["schemas"]["ParentInput"],
): Promise<{ parent: Parent; schema: Schema }> {
  const member = readOneMember(input, ["database_id", "page_id", "workspace"], "body.parent");
  switch (member.kind) {
    case "workspace":
      return { parent: { type: "workspace" }, schema: TITLE_SCHEMA };
    case "database_id": {
      const id = idFrom(member.value);
      const database = await findDatabase(tx, workspaceId, id);
      if (database === undefined) throw notFound("database", id);
      if (database.inTrash) throw archivedError();
      return { parent: { type: "database_id", id }, schema: database.schema };
    }
    case "page_id": {
      const id = idFrom(member.value);
      const found = await findPage(tx, workspaceId, id);
      if (found === undefined) throw notFound("page", id);
      if (found.page.inTrash) throw archivedError();
      return { parent: { type: "page_id", id }, schema: TITLE_SCHEMA };
    }
  }
}

/**
 * Changes a page as a request says.
 *
 * @throws DomainError when there is no such page, it is in the trash and stays there, or a value cannot be taken
 */
export async function updatePageFrom(
  tx: Kysely<Tables>,
  author: Author,
  pageId: string,
  body: components["schemas"]["UpdatePageBody"],
): Promise<PageWithSchema> {
  const { workspaceId, userId, now } = author;
  const found = await requirePage(tx, workspaceId, pageId);
  const { page, schema } = found;
  const { properties = {} } = body;
  const edits = body.icon !== undefined || body.cover !== undefined || Object.keys(properties).length > 0;
  const inTrash = staysInTrash(page, body, edits);
  const moved = inTrash === page.inTrash ? page : { ...page, inTrash, trashRoot: inTrash ? page.id : null };
  if (!edits && moved === page) return found;
  const edit = applyProperties(schema, page.properties, properties);
  const changed = changePage(moved, body, edit.stored, userId, now);
  await editPage(tx, workspaceId, changed, schema, edit);
  return { page: changed, schema: edit.schema };
}

/**
 * Reads a page that must be there.
 *
 * @throws DomainError (not_found), or (validation) when it is the id of a database
 */
export async function requirePage(
  db: Kysely<Tables>,
  workspaceId: string,
  pageId: string,
): Promise<PageWithSchema> {
  const found = await findPage(db, workspaceId, pageId);
  if (found === undefined) throw await noPageError(db, workspaceId, pageId);
  return found;
}

/** The error for an id that is not the id of a page. */
export async function noPageError(db: Kysely<Tables>, workspaceId: string, id: string): Promise<DomainError> {
  const database = await findDatabase(db, workspaceId, id);
  if (database === undefined) return notFound("page", id);
  return new DomainError(
    "validation",
    `The id ${id} is a database, not a page. Use the retrieve database API instead.`,
  );
}
