import type { Principal } from "../access/authenticate.js";
import type { HandlerContext } from "../adapters/context.js";
import { storedResponsesQuotaBytes } from "../budgets.js";
import { DomainError } from "../domain/errors.js";
import type { HttpRequest, HttpResponse, RequestContext } from "../http/index.js";
import { runWrite } from "../operations/jobs/run-write.js";
import type { Scopes, WriteScope } from "../operations/scope.js";
import type { Store } from "../storage/engine/store.js";
import { findResponse, storeResponse } from "../storage/idempotency.js";
import { decodeStoredResponse, encodeStoredResponse, hashValues } from "./stored-response.js";

/**
 * Creates `context.write`. A request with an Idempotency-Key stores its response in the transaction of its changes, so that
 * a retry gets the same response and changes nothing. A failed request stores nothing.
 */
export function createWrite(
  store: Store,
  scopes: Scopes,
  principal: Principal,
  requestContext: RequestContext,
): HandlerContext["write"] {
  const { workspaceId, userId } = principal;
  return async <R extends HttpResponse>(request: HttpRequest, job: (scope: WriteScope) => Promise<R>) => {
    const idempotencyKey = request.headers?.["Idempotency-Key"];
    if (typeof idempotencyKey !== "string") {
      return runWrite(store, scopes, principal, job);
    }
    // Idempotency-Keys are scoped to an API key.
    const id = hashValues([userId, idempotencyKey]);
    const { method, url } = requestContext.request;
    const fingerprint = hashValues([method, url, request.body]);
    const { result, isReplay } = await runWrite(store, scopes, principal, async (scope) => {
      const { db: tx } = scope;
      const now = Date.now();
      const stored = await findResponse(tx, workspaceId, id, now);
      if (stored !== undefined) {
        if (!areEqual(stored.fingerprint, fingerprint)) throw createKeyReusedError();
        if (stored.content === null) throw createTooLargeToReplayError();
        return { result: decodeStoredResponse(stored.status, stored.content), isReplay: true };
      }
      const response = await job(scope);
      const record = { fingerprint, status: response.status, content: encodeStoredResponse(response) };
      const quotaBytes = storedResponsesQuotaBytes(principal.limit);
      await storeResponse(tx, workspaceId, id, record, { now, quotaBytes });
      return { result: response, isReplay: false };
    });
    if (isReplay) requestContext.headers["Idempotency-Replayed"] = "true";
    // The cast: a request with the same fingerprint is for the same operation, whose job performed the stored response.
    return result as R;
  };
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

function createKeyReusedError(): DomainError {
  return new DomainError(
    "validation",
    'headers failed validation: headers["Idempotency-Key"] was sent with another request before. ' +
      "Use a new key for each write, and retry a write unchanged.",
  );
}

function createTooLargeToReplayError(): DomainError {
  return new DomainError(
    "conflict",
    "The write with this Idempotency-Key was done, but its response was too large to store. Retrieve the object instead.",
  );
}
