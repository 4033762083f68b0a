import type { Plan } from "../domain/limits.js";

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
  last_used_time: number | null;
}

export interface DatabasesTable {
  workspace_id: string;
  id: string;
  /** JSON: list of rich text. */
  title: string;
  /** JSON: list of property definitions, in order. */
  properties: string;
  created_time: number;
  last_edited_time: number;
  created_by: string;
  last_edited_by: string;
  /** Grows with every change of the row. */
  version: number;
}

export interface PagesTable {
  workspace_id: string;
  id: string;
  database_id: string;
  created_time: number;
  last_edited_time: number;
  created_by: string;
  last_edited_by: string;
  /** JSON, or null when there is none. */
  icon: string | null;
  cover: string | null;
  /** 0 or 1: SQLite has no booleans. */
  in_trash: number;
  /** JSON: property id to stored value. */
  properties: string;
  /** Grows with every change of the row. */
  version: number;
}

export interface Tables {
  workspaces: WorkspacesTable;
  api_keys: ApiKeysTable;
  databases: DatabasesTable;
  pages: PagesTable;
}
