import type { HttpRequest, HttpResponse } from "../http/index.js";
import type { ReadScope, WriteScope } from "../operations/scope.js";

/** The context of a request, which every handler receives. */
export interface Context {
  /** The scope of read-only use cases. */
  readonly scope: ReadScope;
  /** Identifier of the request, as in X-Request-Id. */
  readonly requestId: string;
  /**
   * Runs a use case in a transaction, and returns its response once it is durable. A handler makes all its changes in one
   * such job, which can run more than once. A retry with the Idempotency-Key of an earlier request gets the stored
   * response of that request instead.
   *
   * @param request the handler's request
   */
  write<R extends HttpResponse>(request: HttpRequest, job: (scope: WriteScope) => Promise<R>): Promise<R>;
}

/** Headers that the service adds to every response. */
export type SuppliedHeaders =
  "X-RateLimit-Limit" | "X-RateLimit-Remaining" | "X-RateLimit-Reset" | "X-Request-Id";
