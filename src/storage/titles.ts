import { MAX_READ_BYTES } from "../budgets.js";
import type { StoredObject } from "../domain/object.js";
import { getTitle, toPlainText } from "../domain/properties/text.js";
import type { RichText } from "../domain/rich-text.js";
import { chunk, MAX_IDS } from "./chunk.js";
import { toObject } from "./object-columns.js";
import { VALUE_BYTES } from "./page-sizes.js";
import type { Db } from "./tables.js";

/** A page or database with its title as plain text. */
export interface Titled extends StoredObject {
  readonly kind: "page" | "database";
  readonly title: string;
}

const COLUMNS = [
  "id",
  "parent_type",
  "parent_id",
  "created_time",
  "last_edited_time",
  "created_by",
  "last_edited_by",
  "in_trash",
  "trash_root",
] as const;

/**
 * Reads the titles of pages and databases by their ids, including those in the trash. Unknown ids are skipped. Titles are empty
 * for the pages whose values exceed MAX_READ_BYTES together with those of earlier pages.
 *
 * @returns the found objects by id
 */
export async function findTitles(
  db: Db,
  workspaceId: string,
  ids: { readonly pages?: Iterable<string>; readonly databases?: Iterable<string> },
): Promise<Map<string, Titled>> {
  const found = new Map<string, Titled>();
  let bytes = 0;
  for (const part of chunk([...(ids.pages ?? [])], MAX_IDS)) {
    const rows = await db
      .selectFrom("pages")
      .select([...COLUMNS, VALUE_BYTES])
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", part)
      .execute();
    const readable = rows.filter((row) => (bytes += row.bytes) <= MAX_READ_BYTES).map(({ id }) => id);
    const titles = await readPageTitles(db, workspaceId, readable);
    for (const row of rows) {
      found.set(row.id, { ...toObject(row), kind: "page", title: titles.get(row.id) ?? "" });
    }
  }
  for (const part of chunk([...(ids.databases ?? [])], MAX_IDS)) {
    const rows = await db
      .selectFrom("databases")
      .select([...COLUMNS, "title"])
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", part)
      .execute();
    for (const row of rows) {
      const title: readonly RichText[] = JSON.parse(row.title);
      found.set(row.id, { ...toObject(row), kind: "database", title: toPlainText(title) });
    }
  }
  return found;
}

async function readPageTitles(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("pages")
    .select(["id", "properties"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, properties }) => [id, getTitle(JSON.parse(properties))]));
}
