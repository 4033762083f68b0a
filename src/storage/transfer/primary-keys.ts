import type { Cell, Row } from "./format.js";
import type { TransferTable } from "./tables.js";

/** Returns the values of a row's primary key. */
export function readPrimaryKey(table: TransferTable, row: Row): readonly Cell[] {
  return table.key.map((column) => row[column] ?? null);
}

/** Compares primary keys in the order of both databases: numbers by value, strings by their bytes in UTF-8. */
export function comparePrimaryKeys(left: readonly Cell[], right: readonly Cell[]): number {
  for (const [index, leftCell] of left.entries()) {
    const rightCell = right[index] ?? null;
    if (leftCell === rightCell) continue;
    return typeof leftCell === "number" && typeof rightCell === "number"
      ? leftCell - rightCell
      : Buffer.compare(Buffer.from(String(leftCell)), Buffer.from(String(rightCell)));
  }
  return 0;
}
