import { PRIMARY_KEYS, type Tables } from "../tables.js";
import type { Cell, Row } from "./format.js";

/**
 * Tables that are not exported: short-lived rows, pages that a running conversion must convert again, and indexes, which an
 * import rebuilds. Jobs are exported, so that they continue after an import.
 */
export const EXCLUDED_TABLES: readonly string[] = [
  "sessions",
  "password_resets",
  "page_texts",
  "page_trigrams",
  "idempotency_keys",
  "idempotency_usage",
  "pages_to_reconvert",
] satisfies (keyof Tables)[];

export interface TransferTable {
  readonly name: string;
  /** Primary key, which orders the rows of a file. */
  readonly primaryKey: readonly string[];
  /** Whether each row belongs to a workspace. */
  readonly belongsToWorkspace: boolean;
}

/** Tables that are exported, in this order. A test compares them with a real database. */
export const TRANSFER_TABLES: readonly TransferTable[] = Object.entries(PRIMARY_KEYS)
  .filter(([name]) => !EXCLUDED_TABLES.includes(name))
  .map(([name, primaryKey]) => ({
    name,
    primaryKey,
    belongsToWorkspace: primaryKey[0] === "workspace_id",
  }));

/** Returns the values of a row in the columns of its primary key. */
export function getPrimaryKey(table: TransferTable, row: Row): readonly Cell[] {
  return table.primaryKey.map((column) => row[column] ?? null);
}

/** Compares primary keys in the order of both databases: numbers by value, strings by their bytes in UTF-8. Keys are never null. */
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
