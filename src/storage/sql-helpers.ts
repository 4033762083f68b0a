import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { StorageScope } from "./tables.js";

/** Splits a list into parts of at most `size` elements. */
export function chunk<Element>(list: readonly Element[], size: number): Element[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}

/** Builds a list of column names for SQL. */
export function joinColumns(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

/** Maximum number of ids in one statement, because SQL dialects limit the number of parameters. */
export const MAX_IDS = 500;

/** Builds the condition that a row has the given id and belongs to the workspace. */
export function hasId(workspaceId: string, id: string | Uint8Array): RawBuilder<SqlBool> {
  return sql<SqlBool>`workspace_id = ${workspaceId} and id = ${id}`;
}

/** Builds the condition that a row has one of the given ids and belongs to the workspace. */
export function hasAnyId(workspaceId: string, ids: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`workspace_id = ${workspaceId} and id in (${sql.join(ids)})`;
}

/** Reads rows by any number of ids, with one SELECT for every MAX_IDS ids and none without ids. */
export async function readByIds<Row>(
  ids: readonly string[],
  select: (ids: readonly string[]) => { execute(): Promise<Row[]> },
): Promise<Row[]> {
  const rows: Row[][] = [];
  for (const part of chunk(ids, MAX_IDS)) rows.push(await select(part).execute());
  return rows.flat();
}

/** Returns the ids that a table does not have in a workspace, in the given order. */
export async function findMissingIds(
  { db, workspaceId }: StorageScope,
  table: "pages" | "databases" | "comments" | "users",
  ids: readonly string[],
): Promise<string[]> {
  const rows = await readByIds(ids, (part) =>
    db.selectFrom(table).select("id").where(hasAnyId(workspaceId, part)),
  );
  const found = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !found.has(id));
}
