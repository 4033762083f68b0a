import { PRIMARY_KEYS, type Tables } from "../tables.js";

/**
 * Column that refers to a row of another table in the same workspace, without a foreign key: the parent of an object can be
 * in one of several tables.
 */
export interface Reference<Column extends string = string> {
  readonly column: Column;
  readonly to: keyof Tables;
  /** Restricts the reference to rows in which a column has a value. */
  readonly when?: readonly [column: Column, value: string];
}

/**
 * Tables that are not exported: short-lived rows (sessions, password resets, stored idempotent responses, pages to
 * convert again), and indexes, which an import rebuilds. Jobs are exported, so that they continue after an import.
 */
export const EXCLUDED_TABLES: readonly string[] = [
  "sessions",
  "password_resets",
  "page_texts",
  "page_trigrams",
  "idempotency_keys",
  "idempotency_usage",
  "changed_pages",
] satisfies (keyof Tables)[];

const PAGE_OR_BLOCK = [
  { column: "parent_id", to: "pages", when: ["parent_type", "page_id"] },
  { column: "parent_id", to: "blocks", when: ["parent_type", "block_id"] },
] as const satisfies readonly Reference[];

/** References that an import checks, because no foreign key does. */
const REFERENCES: {
  readonly [Table in keyof Tables]?: readonly Reference<keyof Tables[Table] & string>[];
} = {
  databases: PAGE_OR_BLOCK,
  pages: [{ column: "parent_id", to: "databases", when: ["parent_type", "database_id"] }, ...PAGE_OR_BLOCK],
  blocks: PAGE_OR_BLOCK,
  property_values: [{ column: "database_id", to: "databases" }],
  comments: PAGE_OR_BLOCK,
};

/** Table that is exported. */
export interface TransferTable {
  readonly name: string;
  /** Primary key, which orders the rows of a file. */
  readonly key: readonly string[];
  readonly references: readonly Reference[];
  /** Whether each row belongs to a workspace. */
  readonly belongsToWorkspace: boolean;
}

/** Tables that are exported, in this order. A test compares them with a real database. */
export const TRANSFER_TABLES: readonly TransferTable[] = Object.entries(PRIMARY_KEYS)
  .filter(([name]) => !EXCLUDED_TABLES.includes(name))
  .map(([name, key]) => ({
    name,
    key,
    references: new Map<string, readonly Reference[]>(Object.entries(REFERENCES)).get(name) ?? [],
    belongsToWorkspace: key[0] === "workspace_id",
  }));
