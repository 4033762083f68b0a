import type { CursorValue } from "../../domain/cursor.js";
import type { Db } from "../tables.js";
import type { Segment } from "./index-scans.js";
import type { Listing, PageRow } from "./listing.js";
import { runStatement, type Fragment } from "./sql.js";

/** Runs a SELECT of `id`, `version` and the sort values `k0`, `k1` and so on. */
export async function readPageRows(db: Db, statement: Fragment, keyCount: number): Promise<PageRow[]> {
  type Row = { id: string; version: number } & Record<`k${number}`, CursorValue>;
  const rows = await runStatement<Row>(db, statement);
  const names = Array.from({ length: keyCount }, (_, index) => `k${index}` as const);
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    values: names.map((name) => row[name] ?? null),
  }));
}

/** Reads the first rows of a list from its segments. */
export async function readSegments(
  db: Db,
  segments: readonly Segment[],
  { sorts, count }: Listing,
): Promise<PageRow[]> {
  const rows: PageRow[] = [];
  for (const segment of segments) {
    rows.push(...(await readSegment(db, segment, sorts.length, count - rows.length)));
    if (rows.length >= count) break;
  }
  return rows;
}

async function readSegment(
  db: Db,
  { buildSelect, selectTied }: Segment,
  keyCount: number,
  count: number,
): Promise<PageRow[]> {
  if (selectTied === undefined) return readPageRows(db, buildSelect(count), keyCount);
  for (;;) {
    // The extra row shows whether there are more rows with the last key.
    const rows = await readPageRows(db, buildSelect(count + 1), keyCount);
    const last = rows.at(-1)?.values[0] ?? null;
    const isTied = rows.length > count && rows[count - 1]?.values[0] === last;
    const complete = isTied ? rows.filter(({ values }) => values[0] !== last) : rows.slice(0, count);
    sortTiesById(complete);
    if (!isTied) return complete;
    complete.push(...(await readPageRows(db, selectTied(last, count - complete.length), keyCount)));
    // Fewer if pages were removed between the two statements. Then both are repeated.
    if (complete.length === count) return complete;
  }
}

function sortTiesById(rows: PageRow[]): void {
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
