import { sql } from "kysely";
import { MAX_READ_BYTES } from "../../budgets.js";
import type { StoredObject } from "../../domain/stored-object.js";
import { getIds, indexById, takeWithinLimit } from "../../lists.js";
import { getBytes } from "../row-limit.js";
import { readByIds } from "../sql-helpers.js";
import { OBJECT_COLUMNS, toObject } from "./object-columns.js";
import { TABLE_BY_KIND } from "./objects.js";
import type { StorageScope } from "../tables.js";
import { selectFrom } from "../workspace-rows.js";

/** A page or database with its title as plain text. */
export interface TitledObject extends StoredObject {
  readonly kind: "page" | "database";
  readonly title: string;
}

const KINDS = ["page", "database"] as const;

/** Groups the ids of pages and databases by kind. */
export function groupIdsByKind(objects: readonly Pick<TitledObject, "id" | "kind">[]): {
  pages: string[];
  databases: string[];
} {
  const selectIds = (kind: TitledObject["kind"]) => getIds(objects.filter((object) => object.kind === kind));
  return { pages: selectIds("page"), databases: selectIds("database") };
}

/**
 * Reads pages and databases with titles, by id, also in the trash. Skips unknown ids. Titles beyond MAX_READ_BYTES are empty.
 *
 * @param maxLength length at which titles are cut, in characters; undefined for whole titles
 */
export async function findTitledObjects(
  scope: StorageScope,
  ids: { readonly pages?: Iterable<string>; readonly databases?: Iterable<string> },
  maxLength?: number,
): Promise<Map<string, TitledObject>> {
  const title =
    maxLength === undefined
      ? sql<string>`plain_title`
      : sql<string>`substr(plain_title, 1, ${sql.lit(maxLength)})`;
  const bytes = sql<number>`octet_length(${title})`.as("bytes");
  const found: { readonly object: TitledObject; readonly bytes: number }[] = [];
  for (const kind of KINDS) {
    const rows = await readByIds(
      [...(ids[`${kind}s`] ?? [])],
      selectFrom(scope, TABLE_BY_KIND[kind]).select([...OBJECT_COLUMNS, bytes]),
    );
    for (const row of rows) {
      found.push({ object: { kind, title: "", ...toObject(row) }, bytes: row.bytes });
    }
  }
  const objects = indexById(found.map(({ object }) => object));
  const readable = takeWithinLimit(found, MAX_READ_BYTES, getBytes).map(({ object }) => object);
  const readableIds = groupIdsByKind(readable);
  for (const kind of KINDS) {
    const rows = await readByIds(
      readableIds[`${kind}s`],
      selectFrom(scope, TABLE_BY_KIND[kind]).select(["id", title.as("title")]),
    );
    for (const row of rows) {
      const object = objects.get(row.id);
      if (object !== undefined) objects.set(row.id, { ...object, title: row.title });
    }
  }
  return objects;
}
