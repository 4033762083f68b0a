import type { HttpRequest, HttpResponse } from "../http/index.js";
import type { ReadScope, WriteScope } from "../operations/scope.js";

/** Context of a request. `src/service/admission.ts` creates it, and every handler receives it. */
export interface HandlerContext {
  /** Scope for use cases that only read. */
  readonly scope: ReadScope;
  /** Id of the request, as in the header X-Request-Id. */
  readonly requestId: string;
  /**
   * Runs a use case in a transaction, and returns its response after the commit is durable. A handler calls it once, for
   * all its changes. A retry with the Idempotency-Key of an earlier request gets the stored response, without running the
   * use case. After a conflict with another transaction the use case runs again, so it must have no other effects.
   */
  write<R extends HttpResponse>(request: HttpRequest, run: (scope: WriteScope) => Promise<R>): Promise<R>;
}

/** Headers that the service adds to every response. */
export type SuppliedHeaders =
  "X-RateLimit-Limit" | "X-RateLimit-Remaining" | "X-RateLimit-Reset" | "X-Request-Id";
