import type { CursorValue } from "../../domain/cursor.js";
import type { StorageScope } from "../tables.js";
import type { IndexScan } from "./index-scans.js";
import type { PageListQuery, ListedPage, ReadConnections } from "./page-list-query.js";
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

/**
 * Reads the first rows of a list by running its index scans one after another.
 *
 * @param from the scope that runs the scans. With ReadConnections, a scan for pages without a value starts on `db`, and starts
 *   again in `scanScope` if its first MAX_SKIPPED_PAGES pages do not contain enough rows
 */
export async function runIndexScans(
  from: ReadConnections | StorageScope,
  indexScans: readonly IndexScan[],
  { sorts, count }: PageListQuery,
): Promise<ListedPage[]> {
  const rows: ListedPage[] = [];
  for (const indexScan of indexScans) {
    rows.push(...(await runIndexScan(from, indexScan, sorts.length, count - rows.length)));
    if (rows.length >= count) break;
  }
  return rows;
}

async function runIndexScan(
  from: ReadConnections | StorageScope,
  { buildSelect, bounded }: IndexScan,
  keyCount: number,
  count: number,
): Promise<ListedPage[]> {
  if (bounded === undefined || !("scanScope" in from))
    return readPageRows(from, buildSelect(count), keyCount);
  const rows = await readPageRows(from, bounded.buildSelect(count), keyCount);
  if (rows.length === count || (await runStatement(from, bounded.restSelect)).length === 0) return rows;
  return readPageRows(from.scanScope, buildSelect(count), keyCount);
}
