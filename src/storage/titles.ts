import { MAX_READ_BYTES } from "../budgets.js";
import type { StoredObject } from "../domain/object.js";
import { getTitle, toPlainText } from "../domain/properties/text.js";
import { readByIds } from "./by-id.js";
import { OBJECT_COLUMNS, toObject } from "./object-columns.js";
import { VALUE_BYTES } from "./page-sizes.js";
import type { Db } from "./tables.js";

/** A page or database with its title as plain text. */
export interface Titled extends StoredObject {
  readonly kind: "page" | "database";
  readonly title: string;
}

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
  const pages = await readByIds([...(ids.pages ?? [])], (part) =>
    db
      .selectFrom("pages")
      .select([...OBJECT_COLUMNS, VALUE_BYTES])
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", part),
  );
  let bytes = 0;
  const readable = pages.filter((row) => (bytes += row.bytes) <= MAX_READ_BYTES);
  const values = await readByIds(
    readable.map(({ id }) => id),
    (part) =>
      db
        .selectFrom("pages")
        .select(["id", "properties"])
        .where("workspace_id", "=", workspaceId)
        .where("id", "in", part),
  );
  const pageTitles = new Map(values.map(({ id, properties }) => [id, getTitle(JSON.parse(properties))]));
  const databases = await readByIds([...(ids.databases ?? [])], (part) =>
    db
      .selectFrom("databases")
      .select([...OBJECT_COLUMNS, "title"])
      .where("workspace_id", "=", workspaceId)
      .where("id", "in", part),
  );
  const found: Titled[] = [
    ...pages.map((row) => ({ ...toObject(row), kind: "page" as const, title: pageTitles.get(row.id) ?? "" })),
    ...databases.map((row) => {
      return { ...toObject(row), kind: "database" as const, title: toPlainText(JSON.parse(row.title)) };
    }),
  ];
  return new Map(found.map((object) => [object.id, object]));
}
