import { READ_DEADLINE_MS, READ_WAIT_MS } from "./database.js";
import { MB, SECOND_MS } from "../units.js";

// Connections. Slow clients must not hold them.

export const HEADERS_TIMEOUT_MS = 15 * SECOND_MS;
export const REQUEST_TIMEOUT_MS = 30 * SECOND_MS;
export const TIMEOUT_CHECK_INTERVAL_MS = 5 * SECOND_MS;
/** Time without traffic after which a connection is closed, unless its response is being prepared. Some clients read nothing. */
export const IDLE_TIMEOUT_MS = 20 * SECOND_MS;
/** Time that an idle connection stays open. Longer than the 60 s of nginx and AWS, because requests on a closing connection fail. */
export const KEEP_ALIVE_TIMEOUT_MS = 75 * SECOND_MS;
/** Time for a client that is still sending a refused request to read the response, before its connection is closed. */
export const CLOSE_DELAY_MS = SECOND_MS;
/** Open connections. Bounded, because each takes a file descriptor and memory. */
export const MAX_CONNECTIONS = 10_000;
/** Open connections of an IPv4 address or a /48 network of IPv6 that is not a trusted proxy. */
export const MAX_CONNECTIONS_PER_ADDRESS = 2500;
/** Trusted proxies of a request, as the header X-Forwarded-For names them. Checking thousands of addresses takes 4 ms. */
export const MAX_TRUSTED_PROXIES = 20;
/** Requests of a connection that wait for the response to an earlier one (HTTP pipelining). Browsers and clients send none. */
export const MAX_PIPELINED_REQUESTS = 40;
/** Pipelined requests of all connections together, which take 47 MB. */
export const MAX_PIPELINED_REQUESTS_OF_PROCESS = 10_000;

// Requests.

/** Requests of all clients that are handled in one turn of the event loop, unless others wait. */
export const MAX_REQUESTS_PER_TURN = 64;
/** Waiting requests that are handled in one turn. Few, because each step of a request to PostgreSQL waits for a turn. */
export const MAX_WAITING_REQUESTS_PER_TURN = 8;
/** Body of an API request, as in Notion's API. */
export const MAX_BODY_BYTES = 512_000;
/** Chunks or packets of a request's body. Each takes a microsecond to parse. */
export const MAX_BODY_CHUNKS = 10_000;
/** Bytes that are read of any body, also of one that is discarded: reading a gigabyte takes 2 s of processor time. */
export const MAX_READ_BODY_BYTES = 2 * MB;
/** Bodies of 8 KB or more that wait for a turn of the event loop to be parsed and validated. The memory limit bounds them too. */
export const BODY_QUEUE = {
  slots: 1,
  slotsPerTenant: 1,
  maxWaitingPerTenant: 1000,
  maxWaitMs: 10 * SECOND_MS,
};
/** Body of a form of the web application. */
export const MAX_FORM_BYTES = 16 * 1024;
/** Requests per minute of an address without a valid key. For requests with a key the limit of the plan applies. */
export const MAX_ANONYMOUS_REQUESTS_PER_MINUTE = 600;
/** Lines per second about requests without a valid key, as many about refused requests, and as many about failed sign-ins. */
export const MAX_ANONYMOUS_LINES_PER_SECOND = 20;
/** Requests per minute of an address for pages, docs, assets and metrics. */
export const MAX_PAGE_REQUESTS_PER_MINUTE = 600;
/** Forms with a password that an address can send per minute, for all accounts together. */
export const MAX_PASSWORD_FORMS_PER_MINUTE = 60;
/** Accounts without an invitation that an IPv4 address, or an IPv6 /48, can create per hour. Workspaces have their own count. */
export const MAX_REGISTRATIONS_PER_HOUR = 10;
/** Accounts that can be created with one invitation per day. It is for one person, who may mistype the e-mail address. */
export const MAX_SIGN_UPS_PER_INVITATION_PER_DAY = 10;
/** Keys and invitations that an account can create in a workspace per day. It can change its name, and its password, as often. */
export const MAX_ACCESS_CHANGES_PER_DAY = 300;
/** Keys of removed members that one transaction revokes. */
export const MAX_REVOKED_KEYS = 100;
/** Sessions of an account. A new one replaces the oldest. */
export const MAX_SESSIONS_PER_ACCOUNT = 100;
/** Value of the header Retry-After in responses with the status 503. */
export const RETRY_AFTER_SECONDS = 5;

// Keys and sign-ins.

/** Addresses, or accounts and devices of sign-ins, that a counter counts in its window of a minute or an hour, in 0.8 KB each. */
export const MAX_COUNTED_CLIENTS = 10_000;
/** Lookups of uncached keys, sessions and link tokens, in turns of clients. Few, so that other reads keep the other connections. */
export const LOOKUP_QUEUE = {
  slots: 2,
  slotsPerTenant: 1,
  maxWaitingPerTenant: 300,
  maxWaiting: 1000,
  maxWaitMs: READ_WAIT_MS,
};
/** Keys whose principals are cached. */
export const KEY_CACHE_SIZE = 10_000;
/** Attempts for an account from unknown devices in an hour, also successful ones, after which each further one waits the full delay. */
export const MAX_ACCOUNT_ATTEMPTS_PER_HOUR = 100;
/** Turns of clients whose passwords are hashed. Few, because file access and DNS lookups use the same thread pool. */
export const HASH_QUEUE = {
  slots: 2,
  slotsPerTenant: 2,
  maxWaitingPerTenant: 30,
  maxWaiting: 300,
  maxWaitMs: 30 * SECOND_MS,
};
/** Turns of signed-in people, known browsers and holders of reset links, so that they do not wait for unknown clients. */
export const KNOWN_CLIENT_HASH_QUEUE = { ...HASH_QUEUE, slots: 1, slotsPerTenant: 1 };

// Memory of requests in progress. With these limits the process stays below 512 MB of RSS. Without load it uses about 150 MB.

export const MAX_REQUEST_MEMORY_BYTES = 96 * MB;
/** Memory of one workspace, or of one address without a key. */
export const MAX_REQUEST_MEMORY_BYTES_PER_CLIENT = 32 * MB;
/** Responses that clients have not read yet. Above it, connections of the clients with the most of them are closed. */
export const MAX_UNREAD_RESPONSE_BYTES = 48 * MB;
/** Memory of a request without a body. */
export const REQUEST_MEMORY_BYTES = 8 * 1024;
/** Memory per byte of a request body: its text and the values that were parsed from it. */
export const MEMORY_BYTES_PER_BODY_BYTE = 4;

// Responses.

/** Property values of a page, as JSON in UTF-8. Its blocks do not count. */
export const MAX_PAGE_BYTES = 2 * MB;
/** Estimated bytes of the results of a list as JSON. Further results are left for the next request, but one is always sent. */
export const MAX_RESPONSE_BYTES = 10 * MB;
/** Bytes of stored JSON that are read for one response, with pages for rollups. Related schemas have a limit of the same size. */
export const MAX_READ_BYTES = 10 * MB;
/** Length of a title in a mention, in UTF-16 units. A title has up to a hundred times that. */
export const MAX_MENTIONED_TITLE_LENGTH = 2000;
/** Length of the titles in all mentions of a response together. A character takes up to six bytes as JSON. */
export const MAX_MENTIONED_TITLES_LENGTH = MB;
/** Length of the names of relations and targets that the rollups of a database show together. They can have the same long names. */
export const MAX_ROLLUP_NAMES_LENGTH = MB;
/** Bytes of users, up to 800 for each, in the values of pages that one turn presents. Further users have only an id. */
export const MAX_SHOWN_USER_BYTES = MB;
/** Results in one response, and the default of `page_size`. */
export const MAX_RESULTS = 100;
/** Cached responses of all workspaces. */
export const RESPONSE_CACHE_BYTES = 32 * 1024 * 1024;
/** JSON of cached schemas. A parsed schema takes about four times as many bytes. */
export const SCHEMA_CACHE_CHARACTERS = MB;
/** Bytes of stored values that one turn of the event loop converts to JSON. A whole response can take fifty times as many. */
export const MAX_PRESENTED_BYTES_PER_TURN = 250_000;
/** Factor by which the bytes of a schema that each page repeats count less in MAX_PRESENTED_BYTES_PER_TURN. They are only copied. */
export const REPEATED_BYTES_FACTOR = 0.25;
/** Lists that are converted to JSON in several turns of the event loop. Few, because their results take memory until the end. */
export const LONG_LIST_QUEUE = {
  slots: 2,
  slotsPerTenant: 1,
  maxWaitingPerTenant: 100,
  maxWaitMs: READ_DEADLINE_MS,
};
/** Reads of linked pages or related schemas above MAX_PRESENTED_BYTES_PER_TURN. Few: parsed JSON takes many times its bytes. */
export const RELATED_READ_QUEUE = {
  slots: 2,
  slotsPerTenant: 1,
  maxWaitingPerTenant: 100,
  maxWaitMs: READ_DEADLINE_MS,
};
/** JSON of a page's values, in UTF-16 units, that a GET keeps while its rollups wait. Larger pages are read in LONG_LIST_QUEUE. */
export const MAX_WAITING_PAGE_CHARACTERS = 100_000;
/** Bytes of stored values that the rollups of a write's response read. Few, because other writes wait for its transaction. */
export const MAX_WRITE_ROLLUP_BYTES = MB;
/** Links of a relation that a page shows. */
export const MAX_SHOWN_LINKS = 100;
