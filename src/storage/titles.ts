import type { StoredObject } from "../domain/object.js";
import { toPlainText } from "../domain/properties/text.js";
import type { RichText } from "../domain/rich-text.js";
import { toObject } from "./object-columns.js";
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
 * Reads the titles of pages and databases by their ids, including those in the trash. Unknown ids are skipped.
 *
 * @returns the found objects by id
 */
export async function findTitles(
  db: Db,
  workspaceId: string,
  ids: { readonly pages?: Iterable<string>; readonly databases?: Iterable<string> },
): Promise<Map<string, Titled>> {
  const found = new Map<string, Titled>();
  const pages = [...(ids.pages ?? [])];
  if (pages.length > 0) {
    const rows = await db
      .selectFrom("pages")
      .select([...COLUMNS, "properties"])
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", pages)
      .execute();
    for (const row of rows) {
      const properties: { readonly title?: readonly RichText[] } = JSON.parse(row.properties);
      found.set(row.id, { ...toObject(row), kind: "page", title: toPlainText(properties.title ?? []) });
    }
  }
  const databases = [...(ids.databases ?? [])];
  if (databases.length > 0) {
    const rows = await db
      .selectFrom("databases")
      .select([...COLUMNS, "title"])
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", databases)
      .execute();
    for (const row of rows) {
      const title: readonly RichText[] = JSON.parse(row.title);
      found.set(row.id, { ...toObject(row), kind: "database", title: toPlainText(title) });
    }
  }
  return found;
}
