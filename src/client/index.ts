import { type Client, createClient as createGeneratedClient, type Failure } from "../../generated/client.js";

export type { CallOptions, Client, Input, Operations, Success } from "../../generated/client.js";
export type * from "../../generated/routes.js";
export * as filter from "./filter.js";
export { paginate } from "./paginate.js";
export * as property from "./property.js";
export * as sort from "./sort.js";

export interface ClientOptions {
  /** Address of the service, e.g. `http://localhost:3000`. */
  baseUrl: string;
  apiKey: string;
  /** Used in place of the platform's own fetch. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Thrown when the service answers a call with an error. */
export class PageServiceError extends Error {
  override readonly name = "PageServiceError";
  /** HTTP status. */
  readonly status: number;
  /** Error code of the service, e.g. `object_not_found`; `unknown` when something else answered, a proxy say. */
  readonly code: string;
  /** Identifier of the request, which the service's log names too. */
  readonly requestId: string | undefined;
  readonly headers: Headers;

  constructor({ operation, status, headers, body }: Failure) {
    const error: Record<string, unknown> = typeof body === "object" && body !== null ? { ...body } : {};
    super(
      typeof error.message === "string"
        ? error.message
        : `${operation} was answered with status ${status}${status < 300 ? ", but not with JSON" : ""}.`,
    );
    this.status = status;
    this.code = typeof error.code === "string" ? error.code : "unknown";
    this.requestId = headers.get("X-Request-Id") ?? undefined;
    this.headers = headers;
  }
}

/**
 * Makes a client of the Page Service: one method per operation, and openapi-fetch's typed client under `http`.
 * A method resolves with status, typed headers and body of a success and throws a PageServiceError for anything else.
 */
export function createClient({ baseUrl, apiKey, fetch }: ClientOptions): Client {
  return createGeneratedClient({
    baseUrl: baseUrl.replace(/\/+$/, ""),
    headers: { Authorization: `Bearer ${apiKey}` },
    toError: (failure) => new PageServiceError(failure),
    ...(fetch ? { fetch } : {}),
  });
}
