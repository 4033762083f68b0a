import { sql } from "kysely";
import { MAX_READ_BYTES } from "../budgets.js";
import type { StoredObject } from "../domain/stored-object.js";
import { getTitle, toPlainText } from "../domain/properties/plain-text.js";
import { getIds, indexById, takeWithinLimit } from "../lists.js";
import { getBytes, type SizedRow } from "./content-size.js";
import { readByIds } from "./sql-helpers.js";
import { OBJECT_COLUMNS, toObject } from "./object-columns.js";
import { VALUE_BYTES } from "./page-bytes.js";
import type { StorageScope } from "./tables.js";
import { selectFrom } from "./workspace-rows.js";

const TITLE_BYTES = sql<number>`octet_length(title)`.as("bytes");

/** A page or database with its title as plain text. */
export interface TitledObject extends StoredObject {
  readonly kind: "page" | "database";
  readonly title: string;
}

/** Reads pages and databases with titles, by id, also in the trash. Skips unknown ids. Titles beyond MAX_READ_BYTES are empty. */
export async function findTitledObjects(
  scope: StorageScope,
  ids: { readonly pages?: Iterable<string>; readonly databases?: Iterable<string> },
): Promise<Map<string, TitledObject>> {
  const pages = await readByIds(
    [...(ids.pages ?? [])],
    selectFrom(scope, "pages").select([...OBJECT_COLUMNS, VALUE_BYTES]),
  );
  const databases = await readByIds(
    [...(ids.databases ?? [])],
    selectFrom(scope, "databases").select([...OBJECT_COLUMNS, TITLE_BYTES]),
  );
  const titles = await readTitles(scope, pages, databases);
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
  pages: readonly SizedRow[],
  databases: readonly SizedRow[],
): Promise<ReadonlyMap<string, string>> {
  const readable = new Set(takeWithinLimit([...pages, ...databases], MAX_READ_BYTES, getBytes));
  const selectIds = (rows: readonly SizedRow[]): string[] => getIds(rows.filter((row) => readable.has(row)));
  const values = await readByIds(selectIds(pages), selectFrom(scope, "pages").select(["id", "properties"]));
  const richTitles = await readByIds(
    selectIds(databases),
    selectFrom(scope, "databases").select(["id", "title"]),
  );
  return new Map([
    ...values.map(({ id, properties }) => [id, getTitle(JSON.parse(properties))] as const),
    ...richTitles.map(({ id, title }) => [id, toPlainText(JSON.parse(title))] as const),
  ]);
}
