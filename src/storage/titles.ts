import type { Kysely } from "kysely";
import type { StoredObject } from "../domain/object.js";
import { plainText } from "../domain/properties/text.js";
import type { RichText } from "../domain/rich-text.js";
import { toObject } from "./object-columns.js";
import type { Tables } from "./tables.js";

/** A page or database, by its title. */
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
 * Reads pages and databases of a workspace by their ids, those in the trash too.
 *
 * @param db `store.read`, or the transaction of a job.
 * @returns Those that there are, by id.
 */
export async function findTitled(
  db: Kysely<Tables>,
  workspaceId: string,
  ids: { readonly pages: Iterable<string>; readonly databases: Iterable<string> },
): Promise<Map<string, Titled>> {
  const found = new Map<string, Titled>();
  const pages = [...ids.pages];
  if (pages.length > 0) {
    const rows = await db
      .selectFrom("pages")
      .select([...COLUMNS, "properties"])
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", pages)
      .execute();
    for (const row of rows) {
      const properties: { readonly title?: readonly RichText[] } = JSON.parse(row.properties);
      found.set(row.id, { ...toObject(row), kind: "page", title: plainText(properties.title ?? []) });
    }
  }
  const databases = [...ids.databases];
  if (databases.length > 0) {
    const rows = await db
      .selectFrom("databases")
      .select([...COLUMNS, "title"])
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", databases)
      .execute();
    for (const row of rows) {
      const title: readonly RichText[] = JSON.parse(row.title);
      found.set(row.id, { ...toObject(row), kind: "database", title: plainText(title) });
    }
  }
  return found;
}
