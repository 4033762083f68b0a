import { takeWithinLimit } from "../lists.js";

/** Maximum number of rows, and of the bytes of their contents. */
export interface RowLimit {
  readonly count: number;
  readonly bytes: number;
}

/** The id of a row and the bytes of its content, which are read first to know how many contents can be read. */
export interface SizedRow {
  readonly id: string;
  readonly bytes: number;
}

/** Returns the first rows whose contents fit into a limit together, but at least one, so that a list can be read to its end. */
export function takeRowsWithinLimit<Row extends SizedRow>(
  rows: readonly Row[],
  { count, bytes }: RowLimit,
): readonly Row[] {
  return takeWithinLimit(rows.slice(0, count), bytes, getBytes);
}

export function getBytes({ bytes }: { readonly bytes: number }): number {
  return bytes;
}
