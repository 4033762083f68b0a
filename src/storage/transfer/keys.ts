import type { Cell, Row } from "./format.js";
import type { TransferTable } from "./tables.js";

/** Returns the values of a row's primary key. */
export function readKey(table: TransferTable, row: Row): readonly Cell[] {
  return table.key.map((column) => row[column] ?? null);
}

/** Compares keys as the databases do: strings byte by byte. */
export function compareKeys(left: readonly Cell[], right: readonly Cell[]): number {
  for (const [index, a] of left.entries()) {
    const b = right[index] ?? null;
    if (a === b) continue;
    return typeof a === "number" && typeof b === "number"
      ? a - b
      : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
  }
  return 0;
}
