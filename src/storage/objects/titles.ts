import { type RawBuilder, sql } from "kysely";
import { MAX_READ_BYTES } from "../../budgets.js";
import type { StoredObject } from "../../domain/stored-object.js";
import { getIds, indexById, takeWithinLimit } from "../../lists.js";
import { getBytes, type SizedRow } from "../row-limit.js";
import { readByIds } from "../sql-helpers.js";
import { OBJECT_COLUMNS, toObject } from "./object-columns.js";
import type { StorageScope } from "../tables.js";
import { selectFrom } from "../workspace-rows.js";

/** A page or database with its title as plain text. */
export interface TitledObject extends StoredObject {
  readonly kind: "page" | "database";
  readonly title: string;
}

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
  const pages = await readByIds(
    [...(ids.pages ?? [])],
    selectFrom(scope, "pages").select([...OBJECT_COLUMNS, bytes]),
  );
  const databases = await readByIds(
    [...(ids.databases ?? [])],
    selectFrom(scope, "databases").select([...OBJECT_COLUMNS, bytes]),
  );
  const titles = await readTitles(scope, title, pages, databases);
  const toTitledObject = (kind: TitledObject["kind"]) => (row: (typeof pages)[number]) => ({
    ...toObject(row),
    kind,
    title: titles.get(row.id) ?? "",
  });
  const found = [...pages.map(toTitledObject("page")), ...databases.map(toTitledObject("database"))];
  return indexById(found);
}

/** Reads the titles of the first pages and databases that fit into MAX_READ_BYTES, by id. */
async function readTitles(
  scope: StorageScope,
  title: RawBuilder<string>,
  pages: readonly SizedRow[],
  databases: readonly SizedRow[],
): Promise<ReadonlyMap<string, string>> {
  const readable = new Set(takeWithinLimit([...pages, ...databases], MAX_READ_BYTES, getBytes));
  const selectIds = (rows: readonly SizedRow[]): string[] => getIds(rows.filter((row) => readable.has(row)));
  const column = title.as("title");
  const pageTitles = await readByIds(selectIds(pages), selectFrom(scope, "pages").select(["id", column]));
  const databaseTitles = await readByIds(
    selectIds(databases),
    selectFrom(scope, "databases").select(["id", column]),
  );
  return new Map([...pageTitles, ...databaseTitles].map((row) => [row.id, row.title]));
}
