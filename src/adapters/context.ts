import type { HttpRequest, HttpResponse } from "../http/index.js";
import type { StorageChange } from "../operations/check/storage-limit.js";
import type { ReadScope, WriteScope } from "../operations/execution/scope.js";

/** Context of a request. `src/service/admission.ts` creates it, and every handler receives it. */
export interface HandlerContext {
  readonly scope: ReadScope;
  /** Id of the request, as in the header X-Request-Id. */
  readonly requestId: string;
  /**
   * Runs a use case in a transaction, and returns its response after the commit is durable. A handler calls it once, for all its
   * changes. If an earlier request with the same Idempotency-Key has succeeded, returns its stored response instead. The use case
   * can run several times, because it is repeated after a conflict, so it must have no effects besides the transaction.
   *
   * @param storageChange by default, the workspace must be within its storage limit
   */
  write<R extends HttpResponse>(
    request: HttpRequest,
    run: (scope: WriteScope) => Promise<R>,
    storageChange?: StorageChange,
  ): Promise<R>;
}

/** Headers that the service adds to every response. */
export type SuppliedHeaders =
  "X-RateLimit-Limit" | "X-RateLimit-Remaining" | "X-RateLimit-Reset" | "X-Request-Id";
