/** Number of rows, and the bytes of their content. */
export interface ContentSize {
  readonly count: number;
  readonly bytes: number;
}

/** Counts the first rows that together fit into a limit, and their bytes. */
export function countFitting(rows: readonly { readonly bytes: number }[], limit: ContentSize): ContentSize {
  let [count, bytes] = [0, 0];
  for (const row of rows) {
    if (count === limit.count || bytes + row.bytes > limit.bytes) break;
    bytes += row.bytes;
    count += 1;
  }
  return { count, bytes };
}

/** Returns the first rows that together have at most `maxBytes`. */
export function takeFitting<Row extends { readonly bytes: number }>(
  rows: readonly Row[],
  maxBytes: number,
): Row[] {
  return rows.slice(0, countFitting(rows, { count: rows.length, bytes: maxBytes }).count);
}
