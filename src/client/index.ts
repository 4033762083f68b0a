import {
  type Client,
  type Connection,
  connect as connectGenerated,
  createClient as createGeneratedClient,
  type ClientOptions as GeneratedOptions,
} from "../../generated/client.js";
import { PageServiceError } from "./errors.js";
import { type Fetch, type RetryOptions, withRetries } from "./retry.js";

// The operations among them; what is declared here as well is not.
export * from "../../generated/client.js";
export type * from "../../generated/routes.js";
export { ConnectionError, type ErrorCode, isPageServiceError, PageServiceError } from "./errors.js";
export * as filter from "./filter.js";
export { paginate } from "./paginate.js";
export * as property from "./property.js";
export type { LogEntry } from "./retry.js";
export * as sort from "./sort.js";

export interface ClientOptions extends RetryOptions {
  /** Address of the service, e.g. `http://localhost:3000`. */
  baseUrl: string;
  apiKey: string;
  /** Used in place of the platform's own fetch. */
  fetch?: Fetch;
}

/**
 * Makes a client of the Page Service: one method per operation, and openapi-fetch's typed client under `http`.
 * A method resolves with status, typed headers and body of a success. It throws a PageServiceError when the service
 * answers with an error, a ConnectionError when no answer comes, and the reason of its signal when that is aborted.
 *
 * @throws TypeError when there is no API key, or one that cannot be sent
 */
export function createClient(options: ClientOptions): Client {
  return createGeneratedClient(settingsOf(options));
}

/**
 * Makes a connection to the Page Service, for operations that are imported one by one: they take it as their first
 * argument and do what the methods of a client do.
 *
 * @throws TypeError when there is no API key, or one that cannot be sent
 */
export function connect(options: ClientOptions): Connection {
  return connectGenerated(settingsOf(options));
}

function settingsOf({ baseUrl, apiKey, fetch = platformFetch, ...rest }: ClientOptions): GeneratedOptions {
  // The platform's own error would show the key.
  if (!/^[!-~]+$/.test(apiKey)) throw new TypeError("The apiKey is empty, or holds what no key has.");
  return {
    baseUrl: baseUrl.replace(/\/+$/, ""),
    headers: { Authorization: `Bearer ${apiKey}` },
    toError: (failure) => new PageServiceError(failure),
    around: withRetries(fetch, rest),
    fetch,
  };
}

/** Browsers want it called on its own. */
const platformFetch: Fetch = (request) => fetch(request);
