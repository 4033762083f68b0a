/**
 * Budgets of requests and of the process: time, rows, bytes and concurrency. Each limits what one request or one workspace
 * can take from the others. Rules about values, such as the longest name, are in spec/ and src/domain/.
 */

const MB = 1_000_000;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

// Connections. Slow clients must not hold them.

export const HEADERS_TIMEOUT_MS = 15 * SECOND_MS;
export const REQUEST_TIMEOUT_MS = 30 * SECOND_MS;
export const TIMEOUT_CHECK_INTERVAL_MS = 5 * SECOND_MS;
/**
 * Time without traffic after which a connection is closed, so that clients that do not read their responses do not hold
 * it. While a response is being prepared, the connection stays open, however long that takes.
 */
export const IDLE_TIMEOUT_MS = 20 * SECOND_MS;
/**
 * Time that a connection stays open after a response. Longer than the 60 seconds for which nginx and AWS's load balancers
 * keep one, because a request on a connection that is being closed fails.
 */
export const KEEP_ALIVE_TIMEOUT_MS = 75 * SECOND_MS;
/** Open connections. Bounded, because each takes a file descriptor and memory. */
export const MAX_CONNECTIONS = 10_000;
/** Open connections of an address that is not a trusted proxy. */
export const MAX_CONNECTIONS_PER_ADDRESS = 2500;
/**
 * Requests of a connection that wait for the response to an earlier one (HTTP pipelining). Each takes some kilobytes, and
 * browsers and clients send none.
 */
export const MAX_PIPELINED_REQUESTS = 40;
/** The same for all connections together: 47 MB. */
export const MAX_PIPELINED_REQUESTS_OF_PROCESS = 10_000;

// Requests.

/** Body of an API request, as in Notion's API. */
export const MAX_BODY_BYTES = 512_000;
/** Chunks or packets of a request's body. Each takes a microsecond to parse. */
export const MAX_BODY_CHUNKS = 10_000;
/** Body of a form of the web application. */
export const MAX_FORM_BYTES = 16 * 1024;
/** Requests per minute of an address without a valid key. With one, the limit of the plan applies, see getRequestLimit. */
export const MAX_ANONYMOUS_REQUESTS_PER_MINUTE = 600;
/** Requests per minute of an address for pages, docs, assets and metrics. */
export const MAX_PAGE_REQUESTS_PER_MINUTE = 600;
/** Forms with a password that an address can send per minute, for all accounts together. */
export const MAX_PASSWORD_FORMS_PER_MINUTE = 60;
/** Accounts without an invitation, and workspaces, that an address can create per hour. */
export const MAX_REGISTRATIONS_PER_HOUR = 10;
/** Keys and invitations that an account can create in a workspace per day. Pages show all of them. */
export const MAX_ACCESS_CHANGES_PER_DAY = 300;
/** Value of the header Retry-After in responses with the status 503. */
export const RETRY_AFTER_SECONDS = 5;

// Memory of requests in progress. The process stays below 512 MB of RSS, of which about 150 MB are in use without load.

export const MAX_REQUEST_MEMORY_BYTES = 96 * MB;
/** Memory of one workspace, or of one address without a key. */
export const MAX_REQUEST_MEMORY_BYTES_PER_CLIENT = 32 * MB;
/** Memory of a request without a body. */
export const REQUEST_MEMORY_BYTES = 8 * 1024;
/** Memory per byte of a request body: its text and the values that were parsed from it. */
export const MEMORY_BYTES_PER_BODY_BYTE = 4;

// Responses.

/** Property values of a page, as JSON in UTF-8. Its blocks do not count. */
export const MAX_PAGE_BYTES = 2 * MB;
/** Estimated JSON of the results of a list. A longer list ends early, after at least one result, with a cursor. */
export const MAX_RESPONSE_BYTES = 10 * MB;
/**
 * Stored JSON that one response is made from: the values of pages, with those that their rollups read, the properties
 * of databases, blocks, or comments. The properties of related databases count separately.
 */
export const MAX_READ_BYTES = 10 * MB;
/** Length of a title in a mention, in UTF-16 units. A title has up to a hundred times that. */
export const MAX_MENTIONED_TITLE_LENGTH = 2000;
/** Length of the titles in all mentions of a response. As JSON a character takes up to six bytes. */
export const MAX_MENTIONED_TITLES_LENGTH = MB;
/** Results in one response, and the default of `page_size`. */
export const MAX_PAGE_SIZE = 100;
/** Cached responses of all workspaces. */
export const RESPONSE_CACHE_BYTES = 32 * 1024 * 1024;
/** JSON of cached schemas. A parsed schema takes about four times as many bytes. */
export const SCHEMA_CACHE_CHARACTERS = MB;

// Web pages.

/** Time to render one page. If it takes longer, it is rendered again without highlighted code and typeset equations. */
export const MAX_FORMATTING_MS = 250;
/** Pages that are rendered concurrently, so that their reads of the database overlap. One of a workspace at a time. */
export const MAX_CONCURRENT_RENDERS = 4;
export const MAX_WAITING_RENDERS_PER_WORKSPACE = 100;
/** Time that a page waits to be rendered. */
export const RENDER_WAIT_MS = 10 * SECOND_MS;

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

// Batches of jobs that change many objects. Other workspaces wait for the transaction of a batch, and a changed row is written
// again with all its bytes: 30 ms per megabyte on SQLite.

/** Pages whose values one transaction converts or removes. */
export const MAX_BATCH_PAGES = 100;
/** Values that one transaction converts, in all pages together. */
export const MAX_BATCH_VALUES = 2000;
/** Stored JSON of the pages that one transaction converts. A larger page is converted by itself. */
export const MAX_BATCH_BYTES = 250_000;
/** Objects that one transaction moves to the trash or back. */
export const MAX_MOVED_OBJECTS = 300;
/** Stored bytes of these objects. A larger object is moved by itself. */
export const MAX_MOVED_BYTES = 2 * MB;
/**
 * Ancestors that a move to the trash or back compares with other moves. A move of an object that is nested deeper, during other
 * moves, is treated as a conflict, because the check must not delay other workspaces.
 */
export const MAX_CHECKED_ANCESTORS = 1000;

/** Workspaces whose removals a process runs concurrently, in turns. Each removal keeps up to 8 MB of ids in memory. */
export const MAX_CONCURRENT_REMOVALS = 10;
/** Time that a batch of a removal waits for those of other workspaces. A removal that fails starts again at its beginning. */
export const REMOVAL_WAIT_MS = 10 * MINUTE_MS;

/** Blocks on each side of a gap that get shorter positions when many blocks have been inserted into it. */
export const MAX_SPREAD_BLOCKS = 500;
/** Bytes of these blocks on each side, but at least one block. */
export const MAX_SPREAD_BYTES = MB / 2;

// Stored responses of idempotent writes.

/** Time that a response is stored. */
export const RESPONSE_TTL_MS = 24 * 60 * MINUTE_MS;
/** Compressed size of a response that is stored. A retry of a write with a larger response gets an error. */
export const MAX_STORED_RESPONSE_BYTES = 256_000;
/** Maximum number of old responses that a write over the quota deletes. Enough to free the space of any new response. */
export const EVICTED_RESPONSES_PER_WRITE = 1200;

/**
 * Computes the disk space for the stored responses of a workspace: enough for a day of requests at its rate limit if
 * each response takes 500 bytes, but at most 440 MB.
 */
export function storedResponsesQuotaBytes(requestsPerMinute: number): number {
  return Math.min(500 * requestsPerMinute * (RESPONSE_TTL_MS / MINUTE_MS), 440 * MB);
}

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
/** Connections for scans, so that the scans of several workspaces do not delay short reads. */
export const SCAN_CONNECTIONS = 3;
export const SCAN_CONNECTIONS_PER_WORKSPACE = 2;
/** Requests that wait for a connection. */
export const MAX_WAITING_FOR_CONNECTION = 1000;
/** Time that a read waits for a connection. */
export const READ_WAIT_MS = 5 * SECOND_MS;

// Cleanup of expired rows.

export const CLEANUP_INTERVAL_MS = 10 * MINUTE_MS;
/** Rows that one transaction deletes. Few, because other writes wait for it. */
export const CLEANUP_BATCH_ROWS = 100;
