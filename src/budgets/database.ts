import { MB, SECOND_MS } from "../units.js";

// Queries.

/** Properties of a database. The time to check a change of its schema grows with the square of their number. */
export const MAX_PROPERTIES = 500;
/** Relations of a database. A response shows up to 100 links for each of them, and a write can change all of them. */
export const MAX_RELATIONS = 100;
/** Relations whose links one statement reads, of MAX_RELATIONS: 1,000 links of one relation of a page take 1.5 ms. */
export const MAX_RELATIONS_PER_READ = 10;
/** Pages whose values and links one statement counts. With MAX_VALUES_OF_LINKED_PAGE each, that takes 20 to 45 ms. */
export const MAX_PAGES_PER_VALUE_COUNT = 20;
/** Links that one request sets, counted over all relations of the page. */
export const MAX_LINKS_PER_REQUEST = 1000;
/** Values and links of a page. A page with more gets no further links from two-way relations, because reading it reads all links. */
export const MAX_VALUES_OF_LINKED_PAGE = 10_000;
/** Links to deleted pages that a transaction removes from a page with too many values. More than a request adds to one page. */
export const MAX_CLEANED_LINKS = 500;
/** Bytes of the values of pages whose links back one request changes. With more, the versions of their databases change instead. */
export const MAX_LINKED_BYTES = 20 * MB;
/** Pages whose versions one statement on SQLite increments. It reads their rows, of up to 2 MB each, while all requests wait. */
export const MAX_PAGES_PER_VERSION_UPDATE = 25;
/** Length of a schema as JSON, enough for 2,000 options with names of 30 characters. A write that adds an option stores the schema. */
export const MAX_SCHEMA_CHARACTERS = 250_000;
/** Bytes of the other databases whose schemas one request changes, by two-way relations. A single one may exceed this limit. */
export const MAX_CHANGED_SCHEMA_BYTES = MB;
/** Conditions in a filter, counted over all its groups. */
export const MAX_FILTER_CONDITIONS = 100;
/** Words in a search. Each one makes the SQL expression deeper, and databases limit its depth. */
export const MAX_SEARCH_WORDS = 100;

/** Pages that a query filters and sorts after index lookups have found them. If they find more, it scans an index in sort order. */
export const MAX_SORTED_PAGES = 1000;
/** Values that a query looks up in the event loop, for its conditions, sorts and pages, in 3 µs each. With more it is a scan. */
export const MAX_CHEAP_LOOKUPS = 3000;
/** Pages that an index scan in the event loop may skip, such as pages in the trash, or pages with a value in a search for others. */
export const MAX_SKIPPED_PAGES = 1000;
/** Index lookups that a query tries, in order to find one with at most MAX_SORTED_PAGES results. */
export const MAX_TRIED_LOOKUP_SETS = 4;
/** Length of a text that SQL conditions search for with LIKE, whose time is proportional to the length of this text. */
export const MAX_LIKE_TEXT_LENGTH = 100;

// Scans: SELECTs that may read all rows of a workspace, because no index finds the result.

export const SCAN_TIMEOUT_MS = 5 * SECOND_MS;
export const SCAN_WAIT_MS = 10 * SECOND_MS;
/** Time from the start of a request after which its scans and waits for turns end: it can scan, and wait, several times. */
export const READ_DEADLINE_MS = 15 * SECOND_MS;
const MAX_WAITING_SCANS_PER_WORKSPACE = 20;
/** Duration from which a scan is long, and the multiple of it for which scans of the workspace count as long: five minutes at most. */
const LONG_SCANS = { minMs: SECOND_MS / 2, rememberedFactor: 60 };
/** Scans on SQLite. Few, because they compete with the event loop for processors. */
export const SQLITE_SCAN_QUEUE = {
  slots: 2,
  slotsPerTenant: 1,
  longRequests: { ...LONG_SCANS, slots: 1 },
  maxWaitingPerTenant: MAX_WAITING_SCANS_PER_WORKSPACE,
  maxWaitMs: SCAN_WAIT_MS,
};

// Turns of the event loop.

/** Time after which long work lets other requests run before its next step, a read counts as long, and further reads wait. */
export const MAX_TURN_MS = 20;
/** Time after a long read of a workspace in which its reads begin in separate turns of the event loop. */
export const LONG_READS_MS = 10 * SECOND_MS;

// Writes.

/** Writes that wait for the database. Bounded, because each one takes memory. */
export const MAX_WAITING_WRITES = 10_000;
/** Time after which a waiting write is refused. Its client has probably given up by then. */
export const WRITE_WAIT_MS = 10 * SECOND_MS;
/** Time that a write waits for a lock of another process. */
export const LOCK_TIMEOUT_MS = 5 * SECOND_MS;
/** Writes that are committed together, as a group. Later writes wait for the whole group. */
export const MAX_GROUP_SIZE = 256;
/** Time after which a group is committed early if other workspaces are waiting. */
export const SHARED_GROUP_MS = 20;
/** Time after which a write on SQLite counts as long, so that it is not in a group with short writes. Most take 1 ms. */
export const LONG_SQLITE_WRITE_MS = 10;
/** The same for PostgreSQL, where the time includes that of its server. Long writes share LONG_WRITE_CONNECTIONS. */
export const LONG_POSTGRES_WRITE_MS = 50;
/** Time after which any group is committed early, because other processes wait for its lock only for LOCK_TIMEOUT_MS. */
export const MAX_GROUP_MS = 500;
/** Attempts of a write that conflicts with other transactions. */
export const MAX_WRITE_ATTEMPTS = 5;
/** Transactions of one write. More are needed only if pages change faster than a schema change converts their values. */
export const MAX_TRANSACTIONS_PER_WRITE = 20;
/** Length of the texts of a page whose trigrams are hashed, which takes 10 ms. The index does not exclude the page by longer ones. */
export const MAX_HASHED_TEXT_LENGTH = 100_000;

// SQLite.

/** Page cache of a connection. Memory is allocated when pages are read, and freed when the process is idle. */
export const READ_CACHE_KIB = 32_768;
/** Length of the write-ahead log from which a scan empties it first. Commits empty a log of 40 MB, if no scan runs meanwhile. */
export const MAX_LOG_BYTES = 80 * MB;

/** Memory of a prepared statement per character of its SQL. V8 does not know of it. */
export const STATEMENT_BYTES_PER_CHARACTER = 30;
/** Length of SQL up to which the prepared statement is cached. V8 soon collects one that is not cached, because it is young. */
export const MAX_CACHED_STATEMENT_LENGTH = 5000;
/** Scans of a connection after which another one replaces it, which frees their statements and results. */
export const MAX_RETAINED_SCANS = 50;
/** Length of the SQL of these scans together, after which another connection replaces it too. */
export const MAX_RETAINED_CHARACTERS = 250_000;

// PostgreSQL.

export const CONNECT_TIMEOUT_MS = 5 * SECOND_MS;
/** Time that the server spends on one statement, including waits for locks. */
export const STATEMENT_TIMEOUT_MS = 8 * SECOND_MS;
/** Time to wait for the result of a statement. Longer than STATEMENT_TIMEOUT_MS: it expires only if the server is unreachable. */
export const STATEMENT_RESULT_TIMEOUT_MS = 10 * SECOND_MS;
/** Time after which `/readyz` reports that the database cannot be read. */
export const PING_TIMEOUT_MS = 2 * SECOND_MS;
/** Connections of a process for reads. Writes have their own, so that reads do not wait for a write that waits for a lock. */
export const READ_CONNECTIONS = 5;
export const WRITE_CONNECTIONS = 5;
/** Connections that workspaces with long writes share. With more, short writes wait for a connection, and reads for the event loop. */
const LONG_WRITE_CONNECTIONS = 2;
/** Time that a workspace with long writes waits for one of these connections, after WRITE_WAIT_MS at most in its own queue. */
export const LONG_WRITE_WAIT_MS = 5 * SECOND_MS;
/** Connections for scans, so that the scans of several workspaces do not delay short reads. */
export const SCAN_CONNECTIONS = 3;
/** Further connections for scans of workspaces whose scans are short. */
const SHORT_SCAN_CONNECTIONS = 1;
export const SCAN_CONNECTIONS_PER_WORKSPACE = 2;
export const MAX_WAITING_FOR_CONNECTION = 1000;
export const READ_WAIT_MS = 5 * SECOND_MS;

/** Connections for reads. A workspace uses fewer beside others: two keep the event loop as busy as three. */
export const READ_CONNECTION_QUEUE = {
  slots: READ_CONNECTIONS,
  slotsPerTenant: 3,
  slotsPerTenantIfShared: 2,
  maxWaitingPerTenant: MAX_WAITING_FOR_CONNECTION,
  maxWaitMs: READ_WAIT_MS,
};
export const SCAN_CONNECTION_QUEUE = {
  slots: SCAN_CONNECTIONS + SHORT_SCAN_CONNECTIONS,
  slotsPerTenant: SCAN_CONNECTIONS_PER_WORKSPACE,
  longRequests: { ...LONG_SCANS, slots: SCAN_CONNECTIONS },
  maxWaitingPerTenant: MAX_WAITING_SCANS_PER_WORKSPACE,
  maxWaitMs: SCAN_WAIT_MS,
};
export const LONG_WRITE_QUEUE = {
  slots: LONG_WRITE_CONNECTIONS,
  slotsPerTenant: 1,
  maxWaitingPerTenant: 1,
  maxWaitMs: LONG_WRITE_WAIT_MS,
};
