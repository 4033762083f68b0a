import type { Plan } from "../domain/limits.js";
import type { AccountTables, KeyAccessLevel } from "./account-tables.js";

/*
 * The tables, as Kysely sees them. Times are integers, milliseconds since 1970; ids are dashed lower-case
 * UUIDs; JSON is text that the database never looks into, so that every SQL dialect can hold it.
 */

export interface WorkspacesTable {
  id: string;
  name: string;
  plan: Plan;
  /** Requests a minute agreed with an enterprise workspace. */
  request_limit: number | null;
  created_time: number;
}

export interface ApiKeysTable {
  workspace_id: string;
  id: string;
  /** SHA-256 of the key, hexadecimal. The key itself is stored nowhere. */
  hash: string;
  prefix: string;
  last_four: string;
  name: string;
  created_time: number;
  expires_time: number | null;
  revoked_time: number | null;
  /** Brought up to date at most once a minute. */
  last_used_time: number | null;
  access: KeyAccessLevel;
  /** The key that was made in its place. */
  replaced_by: string | null;
  /** The account that made it; null when the operator did. */
  created_by: string | null;
}

/** Who can be named in a workspace: people, and a bot for each API key, which has the key's id. */
export interface UsersTable {
  workspace_id: string;
  id: string;
  type: "person" | "bot";
  name: string;
  email: string | null;
  avatar_url: string | null;
  created_time: number;
}

export type ParentType = "workspace" | "database_id" | "page_id" | "block_id";

/** What pages, databases and blocks have in common. */
export interface ObjectColumns {
  workspace_id: string;
  id: string;
  parent_type: ParentType;
  /** Null when the parent is the workspace. */
  parent_id: string | null;
  created_time: number;
  last_edited_time: number;
  created_by: string;
  last_edited_by: string;
  /** 0 or 1: SQLite has no booleans. 1 as well when it is an ancestor that was put into the trash. */
  in_trash: number;
  /** While it is in the trash: the id of the object that was put there, and took this one along. */
  trash_root: string | null;
  /** Grows with every change of the row. */
  version: number;
}

export interface DatabasesTable extends ObjectColumns {
  /** JSON: list of rich text. */
  title: string;
  /** The title folded for search, see domain/fold.ts. */
  title_text: string;
  /** JSON: list of rich text. */
  description: string;
  /** JSON, or null when there is none. */
  icon: string | null;
  cover: string | null;
  /** 0 or 1. */
  is_inline: number;
  /** JSON: list of property definitions, in order. */
  properties: string;
  /** The highest number that a page got for a property of the type unique_id. */
  last_unique_number: number;
}

export interface PagesTable extends ObjectColumns {
  /** The title folded for search, see domain/fold.ts. */
  title_text: string;
  /** JSON, or null when there is none. */
  icon: string | null;
  cover: string | null;
  /** JSON: property id to stored value. Relations are not in it, see PropertyValuesTable. */
  properties: string;
}

/**
 * Blocks, and the place among the blocks of a page of the pages and databases in it: those have a row here too, with
 * their own id, the type child_page or child_database and the content "{}".
 */
export interface BlocksTable extends ObjectColumns {
  /** The page that the block is in, at whatever depth. */
  page_id: string;
  /** Orders the children of a parent, compared byte by byte. */
  position: string;
  type: string;
  /** JSON: what responses show under the name of the type. */
  content: string;
}

/**
 * Property values in a form that SQL can filter and sort by: a row for each element of a value, none for an empty
 * one (a checkbox without a row is not ticked). Derived from `pages.properties`; for relations it is the only place.
 */
export interface PropertyValuesTable {
  workspace_id: string;
  page_id: string;
  database_id: string;
  property_id: string;
  /** Place of the element in a value that is a list, from 0. */
  ordinal: number;
  /**
   * Texts, and the names of files: folded, the first 128 code points. Options: the option's id. People: the user's id.
   * Relations: the id of the page. Else null.
   */
  text_key: string | null;
  /** The whole folded text where `text_key` is only its beginning. */
  long_text: string | null;
  /** Numbers; 0 or 1 for checkboxes; the start of dates, milliseconds since 1970; options: their rank. Else null. */
  number_key: number | null;
}

export interface CommentsTable {
  workspace_id: string;
  id: string;
  parent_type: "page_id" | "block_id";
  parent_id: string;
  discussion_id: string;
  /** JSON: list of rich text. */
  rich_text: string;
  created_time: number;
  last_edited_time: number;
  created_by: string;
}

/** Answers that are kept for requests that may be sent again with the same Idempotency-Key. */
export interface IdempotencyKeysTable {
  workspace_id: string;
  /** The API key of the request. */
  key_id: string;
  idempotency_key: string;
  /** SHA-256, hexadecimal, of what was asked for. */
  fingerprint: string;
  status: number;
  /** JSON of the answer. */
  body: string;
  /** JSON of the headers that the operation gave it; null where it gave none. */
  headers: string | null;
  created_time: number;
}

export interface Tables extends AccountTables {
  workspaces: WorkspacesTable;
  api_keys: ApiKeysTable;
  users: UsersTable;
  databases: DatabasesTable;
  pages: PagesTable;
  blocks: BlocksTable;
  property_values: PropertyValuesTable;
  comments: CommentsTable;
  idempotency_keys: IdempotencyKeysTable;
}
