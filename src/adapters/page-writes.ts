import type { Kysely } from "kysely";
import type { components } from "../../generated/types.js";
import { shapeError } from "../domain/errors.js";
import type { BlockInput } from "../domain/blocks/input.js";
import { requireId } from "../domain/ids.js";
import { readOneMember } from "../domain/one-member.js";
import { changePage, createPage } from "../domain/page.js";
import type { Parent } from "../domain/object.js";
import { applyProperties } from "../domain/properties/apply.js";
import { TITLE_SCHEMA, type Schema } from "../domain/schema.js";
import { archivedError, trashWanted } from "../domain/trash.js";
import { findDatabase } from "../storage/databases.js";
import { setInTrash } from "../storage/move-to-trash.js";
import { addPage, editPage, takeUniqueNumber } from "../storage/page-edits.js";
import { missingDatabase, missingPage } from "../storage/missing.js";
import { findPage, FIRST_VERSION, type VersionedPage } from "../storage/pages.js";
import { findPageVersion } from "../storage/page-version.js";
import { placeAmongBlocks } from "../storage/blocks.js";
import type { Tables } from "../storage/tables.js";
import { requireMatch } from "./entity-tag.js";
import { checkMentions } from "./mentions.js";
import { addBlocks } from "./new-blocks.js";

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
): Promise<VersionedPage> {
  const { workspaceId, userId, now } = author;
  const { parent, schema } = await findParent(tx, workspaceId, body.parent);
  const edit = applyProperties(schema, {}, body.properties);
  const uniqueId = schema.definitions.find((definition) => definition.type === "unique_id");
  const stored =
    uniqueId === undefined || parent.type !== "database_id"
      ? edit.stored
      : { ...edit.stored, [uniqueId.id]: await takeUniqueNumber(tx, workspaceId, parent.id) };
  const page = createPage(parent, stored, body, userId, now);
  await checkMentions(tx, workspaceId, stored);
  await addPage(tx, workspaceId, page, schema, edit);
  await placeAmongBlocks(tx, workspaceId, page, "child_page");
  const inputs = readChildren(body);
  if (inputs.length === 0) return { page, schema: edit.schema, version: FIRST_VERSION };
  const where = { parent: { type: "page_id", id: page.id }, pageId: page.id, by: userId, now } as const;
  await addBlocks(tx, workspaceId, { ...where, inputs, place: "body.children" });
  // The blocks in a page count.
  const version = (await findPageVersion(tx, workspaceId, page.id)) ?? FIRST_VERSION;
  return { page, schema: edit.schema, version };
}

/**
 * The blocks that a new page begins with; `content` is another name of `children`.
 *
 * @throws DomainError (validation) when both are given
 */
function readChildren({ children, content }: components["schemas"]["CreatePageBody"]): readonly BlockInput[] {
  if (children !== undefined && content !== undefined)
    throw shapeError("body.content", "not present", content);
  return children ?? content ?? [];
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
      const id = requireId(member.value);
      const database = await findDatabase(tx, workspaceId, id);
      if (database === undefined) throw await missingDatabase(tx, workspaceId, id);
      if (database.inTrash) throw archivedError();
      return { parent: { type: "database_id", id }, schema: database.schema };
    }
    case "page_id": {
      const id = requireId(member.value);
      const found = await requirePage(tx, workspaceId, id);
      if (found.page.inTrash) throw archivedError();
      return { parent: { type: "page_id", id }, schema: TITLE_SCHEMA };
    }
  }
}

/**
 * Changes a page as a request says.
 *
 * @param ifMatch the header by that name
 * @throws DomainError when there is no such page or it is not at that version, it is in the trash and stays there, or a
 *   value cannot be taken
 */
export async function updatePageFrom(
  tx: Kysely<Tables>,
  author: Author,
  pageId: string,
  body: components["schemas"]["UpdatePageBody"],
  ifMatch: string | undefined,
): Promise<VersionedPage> {
  const { workspaceId, userId, now } = author;
  const found = await requirePage(tx, workspaceId, pageId);
  requireMatch(ifMatch, found);
  const { page, schema } = found;
  const { properties = {} } = body;
  const edits = body.icon !== undefined || body.cover !== undefined || Object.keys(properties).length > 0;
  const inTrash = trashWanted(body) ?? page.inTrash;
  if (edits && page.inTrash && inTrash) throw archivedError();
  const isMoved = await setInTrash(tx, workspaceId, page, inTrash, userId, now);
  const moved = isMoved ? await requirePage(tx, workspaceId, pageId) : found;
  if (!edits) return moved;
  const edit = applyProperties(schema, page.properties, properties);
  const values = edit.edited.map((property) => edit.stored[property.id]);
  await checkMentions(tx, workspaceId, values);
  const changed = changePage(moved.page, body, edit.stored, userId, now);
  await editPage(tx, workspaceId, changed, schema, edit);
  return { page: changed, schema: edit.schema, version: moved.version + 1 };
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
): Promise<VersionedPage> {
  const found = await findPage(db, workspaceId, pageId);
  if (found === undefined) throw await missingPage(db, workspaceId, pageId);
  return found;
}
