import {
  type Client,
  type Connection,
  connect as connectGenerated,
  createClient as createGeneratedClient,
  type ClientOptions as GeneratedOptions,
} from "../../generated/client.js";
import { PageServiceError } from "./errors.js";
import { type Fetch, type RetryOptions, withRetries } from "./retry.js";

// Includes the standalone operations. Declarations of this file take precedence over equal names.
export * from "../../generated/client.js";
export { ConnectionError, type ErrorCode, isPageServiceError, PageServiceError } from "./errors.js";
export * as filter from "./filter.js";
export { paginate } from "./paginate.js";
export * as property from "./property.js";
export type { LogEntry } from "./retry.js";
export * as sort from "./sort.js";

export interface ClientOptions extends RetryOptions {
  /** URL of the service, e.g. `http://localhost:3000`. */
  baseUrl: string;
  apiKey: string;
  /** Replaces the platform's fetch. */
  fetch?: Fetch;
}

/**
 * Creates a client of the Page Service: one method per operation, and openapi-fetch's typed client under `http`.
 * A method resolves with status, typed headers and body of a success. It rejects with a PageServiceError for an error
 * response, with a ConnectionError without a response, and with the reason of its signal when that is aborted.
 *
 * @throws TypeError for an API key that is empty or cannot be sent
 */
export function createClient(options: ClientOptions): Client {
  return createGeneratedClient(toGeneratedOptions(options));
}

/**
 * Creates a connection to the Page Service for standalone operations, which take it as their first argument and do the
 * same as the methods of a client.
 *
 * @throws TypeError for an API key that is empty or cannot be sent
 */
export function connect(options: ClientOptions): Connection {
  return connectGenerated(toGeneratedOptions(options));
}

function toGeneratedOptions({
  baseUrl,
  apiKey,
  fetch = platformFetch,
  ...rest
}: ClientOptions): GeneratedOptions {
  // The platform's own error would reveal the key.
  if (!/^[!-~]+$/.test(apiKey)) throw new TypeError("The apiKey is invalid.");
  return {
    baseUrl: baseUrl.replace(/\/+$/, ""),
    headers: { Authorization: `Bearer ${apiKey}` },
    toError: (failure) => new PageServiceError(failure),
    around: withRetries(fetch, rest),
    fetch,
  };
}

/** Wrapped, because browsers refuse fetch as a method of another object. */
const platformFetch: Fetch = (request) => fetch(request);
