import type { Tables } from "../tables.js";

/** A column whose value must be the id of a row of another table, of the same workspace. */
export interface Reference<Column extends string = string> {
  readonly column: Column;
  readonly to: keyof Tables;
  /** Only where this column has this value. */
  readonly when?: readonly [column: Column, value: string];
}

interface Transferred<Column extends string> {
  /** The primary key, by which rows are ordered and read in parts. */
  readonly key: readonly Column[];
  readonly references?: readonly Reference<Column>[];
}

/** Holds for a short time: sign-ins, ways to a new password, answers to requests that may be sent again. */
const LEFT_OUT = undefined;

/**
 * What an export holds, in this order. A table that is added to Tables must be told here, or left out by name; a test
 * compares keys and tables with those of a real database, which is where the columns are read.
 */
const TABLES: {
  readonly [Table in keyof Tables]: Transferred<keyof Tables[Table] & string> | undefined;
} = {
  workspaces: { key: ["id"] },
  accounts: { key: ["id"] },
  members: { key: ["workspace_id", "account_id"], references: [{ column: "account_id", to: "accounts" }] },
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
      { column: "page_id", to: "pages" },
      { column: "parent_id", to: "pages", when: ["parent_type", "page_id"] },
      { column: "parent_id", to: "blocks", when: ["parent_type", "block_id"] },
    ],
  },
  property_values: {
    key: ["workspace_id", "page_id", "property_id", "ordinal"],
    references: [
      { column: "page_id", to: "pages" },
      { column: "database_id", to: "databases" },
    ],
  },
  comments: {
    key: ["workspace_id", "id"],
    references: [
      { column: "parent_id", to: "pages", when: ["parent_type", "page_id"] },
      { column: "parent_id", to: "blocks", when: ["parent_type", "block_id"] },
    ],
  },
  idempotency_keys: LEFT_OUT,
  audit_events: { key: ["workspace_id", "id"] },
  request_counts: { key: ["workspace_id", "minute"] },
};

/** A table that exports hold. */
export interface TransferTable extends Transferred<string> {
  readonly name: string;
  /** Whether each row belongs to a workspace. */
  readonly ofWorkspace: boolean;
}

/** The tables that exports hold, in their order. */
export const TRANSFER_TABLES: readonly TransferTable[] = Object.entries(TABLES).flatMap(([name, table]) =>
  table === undefined ? [] : [{ name, ...table, ofWorkspace: table.key[0] === "workspace_id" }],
);

/** The tables that exports leave out. */
export const LEFT_OUT_TABLES: readonly string[] = Object.entries(TABLES).flatMap(([name, table]) =>
  table === undefined ? [name] : [],
);
