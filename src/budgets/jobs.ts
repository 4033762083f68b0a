import { DAY_MS, HOUR_MS, MB, MINUTE_MS, SECOND_MS } from "../units.js";

// Batches of jobs that change many objects. Others wait for each. SQLite rewrites a changed row completely, at 30 ms per megabyte.

/** Pages whose values one transaction converts or removes. */
export const MAX_BATCH_PAGES = 100;
/** Values, or elements of lists, that one transaction converts or removes, besides those of its last page. Converts a page as a whole. */
export const MAX_BATCH_VALUES = 2000;
/** Stored JSON of the pages that one transaction converts. A larger page is converted by itself. */
export const MAX_BATCH_BYTES = 250_000;
/** Objects that one transaction moves to the trash or back. */
export const MAX_MOVED_OBJECTS = 150;
/** Stored bytes of the objects that one transaction moves. A larger object is moved by itself. */
export const MAX_MOVED_BYTES = 2 * MB;
/** Moves of many objects that a workspace can have in progress. Each new move is checked against all of them. */
export const MAX_MOVES_PER_WORKSPACE = 100;
/** Ancestors that a move to the trash or back reads to detect conflicts with other moves. With more it fails with a conflict. */
export const MAX_CHECKED_ANCESTORS = 1000;

/** Blocks on each side of an insertion point that get new, shorter positions when repeated insertions have made them too long. */
export const MAX_REBALANCED_BLOCKS = 500;
/** Bytes of the blocks on each side that get new positions. A single block may exceed this limit. */
export const MAX_REBALANCED_BYTES = MB / 2;

/** Links that one transaction adds to the other side of a relation. */
export const MAX_REVERSE_LINKS = 300;
/** Contents of moved or deleted objects that one statement reads. */
export const MAX_CONTENTS_PER_READ = 300;
/** Reads of contents in a transaction that moves or deletes objects. Deeply nested objects need many reads. */
export const TREE_READS_SOFT_LIMIT = 300;
/** Groups of objects that a job has yet to handle, from which on it reads one child at a time, so that each level adds one object. */
export const MAX_WAITING_GROUPS = 250;
/** Jobs that one call of runDueJobs runs concurrently, at most one per workspace. Each keeps up to 8 MB of ids in memory. */
export const MAX_CONCURRENT_JOBS = 10;
/** Maximum time that a batch of a job waits for its turn. Long, because a job that times out starts over. */
export const JOB_TURN_WAIT_MS = 10 * MINUTE_MS;

/** Rows of a file that one transaction imports. */
export const MAX_IMPORTED_ROWS = 1000;
/** Length of their lines. A longer line is imported by itself. Bounds the memory too, because the line of a page can have 2 MB. */
export const MAX_IMPORTED_CHARACTERS = MB;

// Background jobs delete hidden data. A transaction that has reached a soft limit begins no further statement.

/** Rows that a transaction deletes. */
export const DELETED_ROWS_SOFT_LIMIT = 500;
/** Bytes of the rows that a transaction deletes, as the storage limit counts them. */
export const DELETED_BYTES_SOFT_LIMIT = 10 * MB;
/** Time after which a transaction that deletes the rows of a workspace begins no further statement. */
export const WORKSPACE_DELETION_BATCH_MS = 50;
/** Pages that a transaction deletes from the text index. FTS5 makes the COMMIT slower with each page. */
export const DELETED_PAGES_SOFT_LIMIT = 100;
/** Objects, or rows of a deleted workspace, that one statement deletes. Few, because a page can be megabytes long. */
export const MAX_DELETED_OBJECTS_PER_STATEMENT = 20;
/** Values or comments that one statement deletes. They are shorter than pages. */
export const MAX_DELETED_ROWS_PER_STATEMENT = 100;
/** Objects in the trash that one statement reads in order to delete them. */
export const MAX_TRASH_ROOTS_PER_READ = 50;
/** Time after its first deleted object at which a deletion pauses, so that waiting jobs of other workspaces can start. */
export const MAX_DELETION_RUN_MS = 10 * SECOND_MS;

// Stored responses of idempotent writes.

export const RESPONSE_TTL_MS = DAY_MS;
/** JSON of the body of a stored response. Compressing a megabyte takes 15 to 40 ms. A retry with a larger response gets an error. */
export const MAX_STORED_BODY_BYTES = MB;
/** Compressed size of a response that is stored, with its headers. A retry of a write with a larger response gets an error. */
export const MAX_STORED_RESPONSE_BYTES = 256_000;
/** Old responses that a write over the quota deletes. Enough for any new response, because an old one takes at least 260 bytes. */
export const EVICTED_RESPONSES_PER_WRITE = 1200;

/** Computes the disk space for stored responses: for a day of requests at the rate limit with 500 bytes each, but at most 440 MB. */
export function getStoredResponsesQuotaBytes(requestsPerMinute: number): number {
  return Math.min(500 * requestsPerMinute * (RESPONSE_TTL_MS / MINUTE_MS), 440 * MB);
}

// Cleanup of expired rows.

/** Workspaces whose rows one run deletes. The next run continues with others. */
export const MAX_CLEANED_WORKSPACES = 10_000;
export const CLEANUP_INTERVAL_MS = 10 * MINUTE_MS;
/** Time without a request after which a session ends. */
export const SESSION_IDLE_TIMEOUT_MS = 7 * DAY_MS;
/** Age at which request counts are deleted: an hour more than the day that the settings page shows. */
export const REQUEST_COUNT_TTL_MS = 25 * HOUR_MS;
/** Rows that one transaction deletes. Few, because other writes wait for it. */
export const CLEANUP_BATCH_ROWS = 100;

// Usage.

/** Counts, uses of keys and bytes of all workspaces that one transaction records. Few, because other writes wait for it. */
export const USAGE_BATCH_ROWS = 100;
/** Workspaces that one statement reads in order to find those whose stored bytes must be counted. */
export const MAX_CHANGED_WORKSPACES_PER_READ = 5000;
