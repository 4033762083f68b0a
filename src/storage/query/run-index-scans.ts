import type { CursorValue } from "../../domain/cursor.js";
import type { StorageScope } from "../tables.js";
import type { IndexScan } from "./index-scans.js";
import type { PageListQuery, ListedPage } from "./page-list-query.js";
import { runStatement, type Fragment } from "./sql.js";

/** Runs a SELECT of `id`, `version` and the sort keys `k0`, `k1` and so on. */
export async function readPageRows(
  scope: StorageScope,
  statement: Fragment,
  keyCount: number,
): Promise<ListedPage[]> {
  type Row = { id: string; version: number } & Record<`k${number}`, CursorValue>;
  const rows = await runStatement<Row>(scope, statement);
  const names = Array.from({ length: keyCount }, (_, index) => `k${index}` as const);
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    values: names.map((name) => row[name] ?? null),
  }));
}

/** Reads the first rows of a list by running its index scans one after another. */
export async function runIndexScans(
  scope: StorageScope,
  indexScans: readonly IndexScan[],
  { sorts, count }: PageListQuery,
): Promise<ListedPage[]> {
  const rows: ListedPage[] = [];
  for (const buildSelect of indexScans) {
    rows.push(...(await readPageRows(scope, buildSelect(count - rows.length), sorts.length)));
    if (rows.length >= count) break;
  }
  return rows;
}
