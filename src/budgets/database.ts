import { SECOND_MS } from "./units.js";

// Queries.

/** Properties of a database. The time to check a change of them grows with the square of their number. */
export const MAX_PROPERTIES = 500;
/** Relations of a database. A page shows up to 100 links of each, and a write of links reads and writes each relation. */
export const MAX_RELATIONS = 100;
/** Links that a request sets, in all relations of the page together. */
export const MAX_LINKS_PER_REQUEST = 1000;
/** Values and links of a page to which a two-way relation can add another link. A read of the page reads all its links. */
export const MAX_VALUES_OF_LINKED_PAGE = 10_000;
/**
 * JSON of the properties and options of a database: 2,000 options with names of 30 characters. A write with a new option
 * parses and stores it, and a list reads it for 100 databases.
 */
export const MAX_SCHEMA_CHARACTERS = 250_000;
/** Conditions in a filter, in all groups together. */
export const MAX_FILTER_CONDITIONS = 100;
/** Words in a search. Each one makes the SQL expression deeper, and databases limit its depth. */
export const MAX_SEARCH_WORDS = 100;

/**
 * Pages of a database that are sorted, or filtered, after an index has found them. For more pages, a query scans an index in sort
 * order.
 */
export const MAX_SORTED_PAGES = 1000;
/** Conditions and sorts that a query may apply to these pages in the event loop. With more it is a scan. */
export const MAX_QUICK_PARTS = 20;
/** Pages that a read in the event loop may skip because they are in the trash, or outside of it. */
export const MAX_SKIPPED_PAGES = 1000;
/** Indexes of which a query tries whether they find few pages. */
export const MAX_TRIED_LOOKUP_SETS = 4;
/** Length of a text for which SQL conditions use LIKE. For longer ones its time grows with both lengths. */
export const MAX_LIKE_TEXT_LENGTH = 100;

// Scans: SELECTs that no index serves.

export const SCAN_TIMEOUT_MS = 5 * SECOND_MS;
/** Time that a scan waits for other scans. */
export const SCAN_WAIT_MS = 10 * SECOND_MS;
export const MAX_WAITING_SCANS_PER_WORKSPACE = 20;

// Writes.

/** Writes that wait for the database. Bounded, because each is in memory. */
export const MAX_WAITING_WRITES = 10_000;
/** Time after which a waiting write is refused. Its client has probably given up by then. */
export const WRITE_WAIT_MS = 10 * SECOND_MS;
/** Time that a write waits for a lock of another process. */
export const LOCK_TIMEOUT_MS = 5 * SECOND_MS;
/** Writes in one commit. Later ones wait for all of them. */
export const MAX_GROUP_SIZE = 256;
/**
 * Time after which a group commits without its remaining writes if other workspaces wait at the moment. A write that takes longer
 * is long. A batch of a workspace's deletion takes as long.
 */
export const MAX_SHARED_GROUP_MS = 50;
/** The same for any group, because other processes can wait for its lock, for LOCK_TIMEOUT_MS at most. */
export const MAX_GROUP_MS = 500;
/** Time after which a transaction on SQLite yields to the event loop before its next statement, so that others can read. */
export const MAX_TURN_MS = 20;
/** Attempts of a write that conflicts with other transactions. */
export const MAX_WRITE_ATTEMPTS = 5;
/** Transactions of one write, because pages can change faster than they are converted. */
export const MAX_TRANSACTIONS_PER_WRITE = 20;

// SQLite.

/** Page cache of a connection, which is allocated as pages are read and freed when the process is idle. */
export const READ_CACHE_KIB = 32_768;

// PostgreSQL.

export const CONNECT_TIMEOUT_MS = 5 * SECOND_MS;
/** Time that the server spends on one statement, including waits for locks. */
export const STATEMENT_TIMEOUT_MS = 8 * SECOND_MS;
/** Time to wait for the result of a statement. Longer than STATEMENT_TIMEOUT_MS: expires only if the server is unreachable. */
export const STATEMENT_RESULT_TIMEOUT_MS = 10 * SECOND_MS;
/** Time after which `/readyz` reports that the database cannot be read. */
export const PING_TIMEOUT_MS = 2 * SECOND_MS;
/** Connections of a process for reads. Writes have their own, so that reads do not wait for a write that waits for a lock. */
export const READ_CONNECTIONS = 5;
export const READ_CONNECTIONS_PER_WORKSPACE = 3;
export const WRITE_CONNECTIONS = 5;
/**
 * Connections that workspaces with long writes use at the same time. With more of them, short writes wait for a connection,
 * and reads for the event loop.
 */
export const LONG_WRITE_CONNECTIONS = 2;
/** Time that they wait for their turn, after WRITE_WAIT_MS at most in the queue of their workspace. */
export const LONG_WRITE_WAIT_MS = 5 * SECOND_MS;
/** Connections for scans, so that the scans of several workspaces do not delay short reads. */
export const SCAN_CONNECTIONS = 3;
export const SCAN_CONNECTIONS_PER_WORKSPACE = 2;
/** Requests that wait for a connection. */
export const MAX_WAITING_FOR_CONNECTION = 1000;
/** Time that a read waits for a connection. */
export const READ_WAIT_MS = 5 * SECOND_MS;
