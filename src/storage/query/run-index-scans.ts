import type { CursorValue } from "../../domain/cursor.js";
import type { Db } from "../tables.js";
import type { IndexScan } from "./index-scans.js";
import type { PageListQuery, ListedPage } from "./page-list-query.js";
import { runStatement, type Fragment } from "./sql.js";

/** Runs a SELECT of `id`, `version` and the sort keys `k0`, `k1` and so on. */
export async function readPageRows(db: Db, statement: Fragment, keyCount: number): Promise<ListedPage[]> {
  type Row = { id: string; version: number } & Record<`k${number}`, CursorValue>;
  const rows = await runStatement<Row>(db, statement);
  const names = Array.from({ length: keyCount }, (_, index) => `k${index}` as const);
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    values: names.map((name) => row[name] ?? null),
  }));
}

/** Reads the first rows of a list by running its index scans one after another. */
export async function runIndexScans(
  db: Db,
  indexScans: readonly IndexScan[],
  { sorts, count }: PageListQuery,
): Promise<ListedPage[]> {
  const rows: ListedPage[] = [];
  for (const indexScan of indexScans) {
    rows.push(...(await runIndexScan(db, indexScan, sorts.length, count - rows.length)));
    if (rows.length >= count) break;
  }
  return rows;
}

async function runIndexScan(
  db: Db,
  { buildSelect, buildTiesSelect }: IndexScan,
  keyCount: number,
  count: number,
): Promise<ListedPage[]> {
  if (buildTiesSelect === undefined) return readPageRows(db, buildSelect(count), keyCount);
  for (;;) {
    // The extra row shows whether there are more rows with the last key.
    const rows = await readPageRows(db, buildSelect(count + 1), keyCount);
    const last = rows.at(-1)?.values[0] ?? null;
    const isTied = rows.length > count && rows[count - 1]?.values[0] === last;
    const complete = isTied ? rows.filter(({ values }) => values[0] !== last) : rows.slice(0, count);
    sortTiesById(complete);
    if (!isTied) return complete;
    complete.push(...(await readPageRows(db, buildTiesSelect(last, count - complete.length), keyCount)));
    // There are fewer rows if pages were removed between the two statements. Both are repeated then.
    if (complete.length === count) return complete;
  }
}

/** Sorts consecutive rows with the same first sort key by id, in place. */
function sortTiesById(rows: ListedPage[]): void {
  for (let start = 0; start < rows.length;) {
    let end = start + 1;
    while (end < rows.length && rows[end]?.values[0] === rows[start]?.values[0]) end += 1;
    if (end > start + 1) {
      const tied = rows.slice(start, end).sort((one, other) => (one.id < other.id ? -1 : 1));
      rows.splice(start, tied.length, ...tied);
    }
    start = end;
  }
}
