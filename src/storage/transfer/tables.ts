import type { Tables } from "../tables.js";

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

interface Transferred<Column extends string> {
  /** Primary key, which orders the rows of a file. */
  readonly key: readonly Column[];
  readonly references?: readonly Reference<Column>[];
}

/**
 * Short-lived rows (sessions, password resets, stored idempotent responses, pages that a conversion converts again), and
 * indexes, which an import derives.
 */
const LEFT_OUT = undefined;

/**
 * Tables of an export, ordered so that foreign keys refer to earlier tables. Lists every table of Tables, also those that are
 * left out. A test compares tables and keys with a real database.
 */
const TABLES: {
  readonly [Table in keyof Tables]: Transferred<keyof Tables[Table] & string> | undefined;
} = {
  workspaces: { key: ["id"] },
  accounts: { key: ["id"] },
  members: { key: ["workspace_id", "account_id"] },
  sessions: LEFT_OUT,
  password_resets: LEFT_OUT,
  invitations: { key: ["workspace_id", "id"] },
  api_keys: { key: ["workspace_id", "id"] },
  users: { key: ["workspace_id", "id"] },
  databases: {
    key: ["workspace_id", "id"],
    references: [
      { column: "parent_id", to: "pages", when: ["parent_type", "page_id"] },
      { column: "parent_id", to: "blocks", when: ["parent_type", "block_id"] },
    ],
  },
  pages: {
    key: ["workspace_id", "id"],
    references: [
      { column: "parent_id", to: "databases", when: ["parent_type", "database_id"] },
      { column: "parent_id", to: "pages", when: ["parent_type", "page_id"] },
      { column: "parent_id", to: "blocks", when: ["parent_type", "block_id"] },
    ],
  },
  blocks: {
    key: ["workspace_id", "id"],
    references: [
      { column: "parent_id", to: "pages", when: ["parent_type", "page_id"] },
      { column: "parent_id", to: "blocks", when: ["parent_type", "block_id"] },
    ],
  },
  property_values: {
    key: ["workspace_id", "page_id", "property_id", "ordinal"],
    references: [{ column: "database_id", to: "databases" }],
  },
  page_texts: LEFT_OUT,
  page_trigrams: LEFT_OUT,
  comments: {
    key: ["workspace_id", "id"],
    references: [
      { column: "parent_id", to: "pages", when: ["parent_type", "page_id"] },
      { column: "parent_id", to: "blocks", when: ["parent_type", "block_id"] },
    ],
  },
  idempotency_keys: LEFT_OUT,
  idempotency_usage: LEFT_OUT,
  // An import finishes the jobs of an export: their leases have ended.
  jobs: { key: ["workspace_id", "id"] },
  changed_pages: LEFT_OUT,
  audit_events: { key: ["workspace_id", "id"] },
  request_counts: { key: ["workspace_id", "minute"] },
};

/** Table that is exported. */
export interface TransferTable extends Transferred<string> {
  readonly name: string;
  /** Whether each row belongs to a workspace. */
  readonly ofWorkspace: boolean;
}

/** Tables that are exported, in this order. */
export const TRANSFER_TABLES: readonly TransferTable[] = Object.entries(TABLES).flatMap(([name, table]) =>
  table === undefined ? [] : [{ name, ...table, ofWorkspace: table.key[0] === "workspace_id" }],
);

/** Names of tables that are not exported. */
export const LEFT_OUT_TABLES: readonly string[] = Object.entries(TABLES).flatMap(([name, table]) =>
  table === undefined ? [name] : [],
);
