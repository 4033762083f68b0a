import { sql, type RawBuilder, type SqlBool } from "kysely";
import { chunk, getIds } from "../lists.js";
import { type Db, TABLE_METADATA, type StorageScope, type Tables } from "./tables.js";
import { selectFrom } from "./workspace-rows.js";

export function joinColumns(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

/** Builds the condition that a row is one of those that a SELECT finds, from the text after its FROM, for example `where … limit …`. */
export function buildIsSelected(table: keyof Tables, rest: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const key = joinColumns(TABLE_METADATA[table].primaryKey);
  return sql<SqlBool>`(${key}) in (select ${key} from ${sql.table(table)} ${rest})`;
}

/** Deletes the rows that a SELECT finds, see buildIsSelected, and returns their number. */
export async function deleteSelected(
  tx: Db,
  table: keyof Tables,
  rest: RawBuilder<unknown>,
): Promise<number> {
  const { numAffectedRows } =
    await sql`delete from ${sql.table(table)} where ${buildIsSelected(table, rest)}`.execute(tx);
  return Number(numAffectedRows);
}

/** Value of `in_trash` outside of the trash. A literal, because databases do not use a partial index for a parameter. */
export const NOT_IN_TRASH = sql.lit(0);

/** Sorts before all ids and positions. */
export const BEFORE_FIRST_ID = "";

/** Maximum number of ids in one statement, because SQL dialects limit the number of parameters. */
export const MAX_IDS = 500;

/** Builds the condition for SQLite that a row has an id of a JSON array, so that a query is compiled once for any number of ids. */
export function buildHasIdInJson(ids: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`id in (select value from json_each(${ids}))`;
}

interface Query<Row> {
  execute(): Promise<Row[]>;
}

/** Whether a query finds a row. */
export async function hasRows(query: {
  limit(count: number): { executeTakeFirst(): Promise<object | undefined> };
}): Promise<boolean> {
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** Reads the rows that a query selects for a list of ids, with one SELECT per `partSize` ids. Runs no SELECT for an empty list. */
export async function readInParts<Row>(
  ids: readonly string[],
  select: (ids: readonly string[]) => Query<Row>,
  partSize = MAX_IDS,
): Promise<Row[]> {
  const rows: Row[][] = [];
  for (const part of chunk(ids, partSize)) rows.push(await select(part).execute());
  return rows.flat();
}

/** Reads the rows of a query that have any of the ids in their column `id`. */
export function readByIds<Row>(
  ids: readonly string[],
  query: { where(condition: RawBuilder<SqlBool>): Query<Row> },
): Promise<Row[]> {
  return readInParts(ids, (part) => query.where(sql<SqlBool>`id in (${sql.join(part)})`));
}

/** Returns the ids that a table does not have in a workspace, in the given order. */
export async function findMissingIds(
  scope: StorageScope,
  table: "pages" | "databases" | "comments" | "users",
  ids: readonly string[],
): Promise<string[]> {
  // Most writes refer to nothing, and building four queries for that cost 8 µs.
  if (ids.length === 0) return [];
  const rows = await readByIds(ids, selectFrom(scope, table).select("id"));
  const found = new Set(getIds(rows));
  return ids.filter((id) => !found.has(id));
}
