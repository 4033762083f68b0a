import type { Generated, Kysely } from "kysely";
import type { AccessTables } from "./access/tables.js";

/* Tables for Kysely. Times are milliseconds since 1970, ids are UUIDs in lower case with hyphens, and JSON is stored as text. */

/** Columns that pages, databases and blocks have in common. */
export interface ObjectColumns {
  workspace_id: string;
  id: string;
  parent_type: "workspace" | "database_id" | "page_id" | "block_id";
  /** Null when the parent is the workspace. */
  parent_id: string | null;
  created_time: number;
  last_edited_time: number;
  created_by: string;
  last_edited_by: string;
  /** 0 or 1, because SQLite has no booleans. 1 if the object or an ancestor was moved to the trash. */
  in_trash: number;
  /** Id of the object with which this one was moved to the trash: itself or an ancestor. Null outside of the trash. */
  trash_root: string | null;
  /** Increases with every change that is visible in the API. */
  version: number;
}

export type JobKind =
  | "convert_values"
  | "remove_values"
  | "add_reverse_links"
  | "move_to_trash"
  | "restore"
  | "delete_permanently"
  | "empty_trash"
  | "delete_workspace"
  /** Deletes the rows of an import that has not ended. Until then, the importing process holds its lease. */
  | "import_workspace";

export interface Tables extends AccessTables {
  /** Users of a workspace: people, a bot for each API key, which has the id of the key, and bots of the operator. */
  users: {
    workspace_id: string;
    id: string;
    type: "person" | "bot";
    name: string;
    email: string | null;
    avatar_url: string | null;
    created_time: number;
  };

  databases: ObjectColumns & {
    /** The title without formatting. */
    plain_title: string;
    /** JSON: list of rich text. */
    title: string;
    /** The title folded for search, see domain/text.ts. */
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
    /** The highest number that a page got for a property of the type unique_id; 0 when none did. */
    last_unique_number: number;
    /** Id of the job that converts the values of the pages; null when none does. */
    conversion_job_id: string | null;
    /** A part of the versions of all its pages. It increases with each change of many pages at once. */
    pages_version: number;
  };

  pages: ObjectColumns & {
    /** The title without formatting, which is also in `properties`, because these can have 2 MB. */
    plain_title: string;
    /** The title folded for search, see domain/text.ts. */
    title_text: string;
    /** JSON, or null when there is none. */
    icon: string | null;
    cover: string | null;
    /** JSON: property id to stored value. Relations are not in it, see property_values. */
    properties: string;
  };

  /** Blocks, and the positions of pages and databases inside of pages, which have the type child_page or child_database. */
  blocks: ObjectColumns & {
    /** Id of the page that contains the block, at any depth. */
    page_id: string;
    /** Orders the children of a parent, compared byte by byte. */
    position: string;
    type: string;
    /** JSON: the content, which responses have under the name of the type. */
    content: string;
  };

  /** Values for filters and sorts, a row per element, derived from `pages.properties`. Relations are stored only here. */
  property_values: {
    workspace_id: string;
    page_id: string;
    database_id: string;
    property_id: string;
    /** Index of the element in a value that is a list. */
    ordinal: number;
    /**
     * Texts, and the names of files: folded, the first 128 code points. Options: the option's id. People: the user's id.
     * Relations: the id of the page. Otherwise null.
     */
    text_key: string | null;
    /** Numbers; 0 or 1 for checkboxes; the start of dates; the rank of options. Otherwise null. */
    number_key: number | null;
    /** The end of dates that are ranges. Otherwise null. */
    end_key: number | null;
  };

  /** Whole folded texts of which `text_key` is only the beginning. In a table of their own, see DECISIONS.md. */
  long_texts: {
    workspace_id: string;
    page_id: string;
    property_id: string;
    ordinal: number;
    text: string;
  };

  /** Pages in the index of texts, see text-index.ts. Derived from the pages. */
  page_texts: {
    workspace_id: string;
    page_id: string;
    /** Row of the page in page_trigrams; only on SQLite. */
    number: Generated<number>;
    /** Trigrams of the page's texts; only on PostgreSQL. */
    trigrams: Generated<readonly number[]>;
  };

  /** Full-text index of trigrams, a virtual table; only on SQLite. */
  page_trigrams: {
    rowid: number;
    /** Trigrams of the page's texts, separated by spaces. They cannot be read back. */
    tokens: string;
  };

  comments: {
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
  };

  /** Stored responses to idempotent writes, for retries with the same Idempotency-Key. */
  idempotency_keys: {
    workspace_id: string;
    /** Hash of the API key and its Idempotency-Key. */
    id: Uint8Array;
    /** Hash of the request. */
    fingerprint: Uint8Array;
    status: number;
    /** Compressed JSON of headers and body; null when it was too large to store. */
    content: Uint8Array | null;
    created_time: number;
  };

  idempotency_usage: {
    workspace_id: string;
    /** Disk space of the stored responses of the workspace. */
    bytes: number;
  };

  /** Changes that are too large for one transaction and are committed in batches. */
  jobs: {
    workspace_id: string;
    id: string;
    kind: JobKind;
    /** The database whose values change, the object that moves or is deleted permanently, or the workspace. */
    object_id: string;
    /** JSON: list of the ids of the properties whose values a conversion writes, or of the relation. */
    property_ids: string;
    /** Number of objects that are done. */
    done_count: number;
    /** Total number of objects; null when it is unknown. */
    total_count: number | null;
    created_time: number;
    /** Random id of the run that holds the lease, or NO_OWNER. */
    owner: string;
    /** Time after which another process can take over the job. */
    lease_time: number;
  };

  /** Pages that were created or changed while the values of their database are converted. */
  pages_to_reconvert: {
    workspace_id: string;
    database_id: string;
    page_id: string;
  };
}

/** Runs queries on these tables: on the connection for reads, or within a transaction. */
export type Db = Kysely<Tables>;

/** A connection and a workspace. A function that gets it reads and writes only rows of that workspace. */
export interface StorageScope {
  /** A transaction when the function writes. */
  readonly db: Db;
  readonly workspaceId: string;
  /** Lets other requests continue during long work. Omitted in scopes of short work, and in transactions of jobs. */
  waitForTurn?(): Promise<void>;
  /** Runs long reads of related objects, few at a time. Omitted like `waitForTurn`. */
  runRelatedReads?<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Size of a row for the storage limit, see row-sizes.ts. */
interface RowSize<Column> {
  /** Estimated bytes of the columns of fixed length, and of the index entries. */
  readonly fixedBytes: number;
  /** Columns of variable length. A column that an index repeats is listed twice. */
  readonly texts: readonly Column[];
}

interface TableMetadata<Column = string> {
  readonly primaryKey: readonly Column[];
  /** Null when the storage limit does not count the rows: they are temporary, derived, or limited in another way. */
  readonly rowSize: RowSize<Column> | null;
  /** False for short-lived rows, pages that a running conversion must convert again, and indexes, which an import rebuilds. */
  readonly isExported?: false;
}

const ID_KEY = ["workspace_id", "id"] as const;
const VALUE_KEY = ["workspace_id", "page_id", "property_id", "ordinal"] as const;
const OBJECT_TEXTS = ["plain_title", "title_text", "icon", "cover", "properties"] as const;

/** Metadata of all tables, ordered so that foreign keys refer to earlier tables, as exports, imports and deletions require. */
export const TABLE_METADATA = {
  workspaces: { primaryKey: ["id"], rowSize: null },
  accounts: { primaryKey: ["id"], rowSize: null },
  members: { primaryKey: ["workspace_id", "account_id"], rowSize: null },
  sessions: { primaryKey: ["hash"], rowSize: null, isExported: false },
  password_resets: { primaryKey: ["account_id"], rowSize: null, isExported: false },
  invitations: { primaryKey: ID_KEY, rowSize: null },
  api_keys: { primaryKey: ID_KEY, rowSize: { fixedBytes: 500, texts: ["name"] } },
  users: { primaryKey: ID_KEY, rowSize: { fixedBytes: 250, texts: ["name", "email", "avatar_url"] } },
  databases: {
    primaryKey: ID_KEY,
    rowSize: { fixedBytes: 900, texts: ["title", "description", ...OBJECT_TEXTS] },
  },
  pages: { primaryKey: ID_KEY, rowSize: { fixedBytes: 1200, texts: OBJECT_TEXTS } },
  blocks: { primaryKey: ID_KEY, rowSize: { fixedBytes: 750, texts: ["content"] } },
  property_values: { primaryKey: VALUE_KEY, rowSize: { fixedBytes: 600, texts: ["text_key", "text_key"] } },
  long_texts: { primaryKey: VALUE_KEY, rowSize: { fixedBytes: 300, texts: ["text"] } },
  page_texts: { primaryKey: ["workspace_id", "page_id"], rowSize: null, isExported: false },
  page_trigrams: { primaryKey: ["rowid"], rowSize: null, isExported: false },
  comments: { primaryKey: ID_KEY, rowSize: { fixedBytes: 700, texts: ["rich_text"] } },
  idempotency_keys: { primaryKey: ID_KEY, rowSize: null, isExported: false },
  idempotency_usage: { primaryKey: ["workspace_id"], rowSize: null, isExported: false },
  // Exported, so that jobs continue after an import.
  jobs: { primaryKey: ID_KEY, rowSize: null },
  pages_to_reconvert: {
    primaryKey: ["workspace_id", "database_id", "page_id"],
    rowSize: null,
    isExported: false,
  },
  audit_events: {
    primaryKey: ID_KEY,
    rowSize: { fixedBytes: 350, texts: ["actor_name", "subject_name", "detail"] },
  },
  request_counts: { primaryKey: ["workspace_id", "minute"], rowSize: null },
} as const satisfies { readonly [Table in keyof Tables]: TableMetadata<keyof Tables[Table]> };

/** Tables that a workspace can fill without limit. */
export type CountedTable = {
  [Table in keyof Tables]: (typeof TABLE_METADATA)[Table]["rowSize"] extends null ? never : Table;
}[keyof Tables];

/** Names of all tables, in the order of TABLE_METADATA. */
// Safe cast: Object.keys does not keep the type of the keys.
export const TABLE_NAMES = Object.keys(TABLE_METADATA) as (keyof Tables)[];

/** Tables that are exported, in the order of TABLE_METADATA. A test compares them with a real database. */
export const EXPORTED_TABLES = TABLE_NAMES.filter((table) => {
  const { isExported }: TableMetadata = TABLE_METADATA[table];
  return isExported !== false;
});

/** Whether each row of a table belongs to a workspace. */
export function belongsToWorkspace(table: keyof Tables): boolean {
  // The primary key of a session is the hash of its token.
  return TABLE_METADATA[table].primaryKey[0] === "workspace_id" || table === "sessions";
}
