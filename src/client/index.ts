import {
  type Client,
  type Connection,
  connect as connectGenerated,
  createClient as createGeneratedClient,
  type ClientOptions as GeneratedOptions,
} from "../../generated/client.js";
import { PageServiceError } from "./errors.js";
import { type Fetch, type RetryOptions, withRetries } from "./retry.js";

export {
  ApiError,
  type Around,
  type AttemptOptions,
  type AttemptResult,
  type CallOptions,
  type Client,
  type Connection,
  type Failure,
  type Operation,
  type Operations,
} from "../../generated/client.js";
export * from "../../generated/operations.js";
export { ConnectionError, type ErrorCode, isPageServiceError, PageServiceError } from "./errors.js";
export * as filter from "./filter.js";
export { paginate } from "./paginate.js";
export * as property from "./property.js";
export type { LogEntry } from "./retry.js";
export * as sort from "./sort.js";

/** Options of a client: the service, the API key and the retries. */
export interface ClientOptions extends RetryOptions {
  /** URL of the service, e.g. `http://localhost:3000`. */
  baseUrl: string;
  /** API key, which the service shows once when it creates the key. Sent in the Authorization header. */
  apiKey: string;
  /** Replaces the platform's fetch. */
  fetch?: Fetch;
}

/**
 * Creates a client of the Page Service: one method per operation, and openapi-fetch's typed client under `http`.
 * Each method resolves with the status, headers and body of a successful response. It rejects with a PageServiceError for
 * an error response, with a ConnectionError if there is no response, and with the abort reason if its signal is aborted.
 *
 * @throws TypeError if the API key is empty or cannot be sent in a header
 */
export function createClient(options: ClientOptions): Client {
  return createGeneratedClient(toGeneratedOptions(options));
}

/**
 * Creates a connection to the Page Service for standalone operations, which take it as their first argument and do the
 * same as the methods of a client.
 *
 * @throws TypeError if the API key is empty or cannot be sent in a header
 */
export function connect(options: ClientOptions): Connection {
  return connectGenerated(toGeneratedOptions(options));
}

function toGeneratedOptions({
  baseUrl,
  apiKey,
  fetch = platformFetch,
  ...retryOptions
}: ClientOptions): GeneratedOptions {
  // Checked here, because the error of the platform would reveal the key.
  if (!/^[!-~]+$/.test(apiKey)) throw new TypeError("The apiKey must be ASCII without spaces.");
  return {
    baseUrl: baseUrl.replace(/\/+$/, ""),
    headers: { Authorization: `Bearer ${apiKey}` },
    toError: (failure) => new PageServiceError(failure),
    // `around` sends the calls of operations. The second `fetch` is for requests with `http`, which are not retried.
    around: withRetries(fetch, retryOptions),
    fetch,
  };
}

/** Wrapped, because browsers refuse fetch as a method of another object. */
const platformFetch: Fetch = (request) => fetch(request);
