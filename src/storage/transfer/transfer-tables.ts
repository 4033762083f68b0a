import { PRIMARY_KEYS, type Tables } from "../tables.js";

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
