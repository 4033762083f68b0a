import type { HttpRequest, HttpResponse } from "../http/index.js";
import type { ReadScope, WriteScope } from "../operations/scope.js";

/** The context of a request that admission creates and every handler receives. */
export interface HandlerContext {
  /** Scope for use cases that only read. */
  readonly scope: ReadScope;
  /** Id of the request, as in the header X-Request-Id. */
  readonly requestId: string;
  /**
   * Runs a use case in a transaction, and returns its response after the commit is durable. A handler calls it once, with
   * all its changes. A retry with the Idempotency-Key of an earlier request gets the stored response of that request
   * instead.
   *
   * @param request the handler's request
   * @param job runs the use case. It runs again after a conflict with another transaction, so it changes nothing else
   */
  write<R extends HttpResponse>(request: HttpRequest, job: (scope: WriteScope) => Promise<R>): Promise<R>;
}

/** Headers that the service adds to every response. */
export type SuppliedHeaders =
  "X-RateLimit-Limit" | "X-RateLimit-Remaining" | "X-RateLimit-Reset" | "X-Request-Id";
