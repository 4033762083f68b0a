import { createHash } from "node:crypto";
import type { Principal } from "../access/keys/authenticate.js";
import type { HandlerContext } from "../adapters/context.js";
import { getStoredResponsesQuotaBytes } from "../budgets.js";
import { createValidationError } from "../domain/errors.js";
import { EncodedJson, type HttpRequest, type HttpResponse, type RequestContext } from "../http/index.js";
import { runWithinStorageLimit, type StorageChange } from "../operations/check/storage-limit.js";
import { awaitEventLoopTurn } from "../operations/execution/event-loop-turns.js";
import { runWrite } from "../operations/execution/run-write.js";
import type { Scopes, WriteScope } from "../operations/execution/scope.js";
import { findOrExpireStoredResponse, storeResponse } from "../storage/idempotency.js";
import { decodeStoredResponse, encodeStoredResponse } from "./stored-response.js";

const KEY_REUSED =
  'headers failed validation: headers["Idempotency-Key"] was sent with another request before. ' +
  "Use a new key for each write, and retry a write unchanged.";
const TOO_LARGE_TO_REPLAY =
  "The write with this Idempotency-Key was done, but its response was too large to store. Retrieve the object instead.";

/** Creates `write` of a handler's context. Stores the response in the transaction, so that a retry with the same key gets it. */
export function createIdempotentWrite(
  scopes: Scopes,
  principal: Principal,
  requestContext: RequestContext,
): HandlerContext["write"] {
  const { userId } = principal;
  return async <R extends HttpResponse>(
    request: HttpRequest,
    runUseCase: (scope: WriteScope) => Promise<R>,
    storageChange: StorageChange = {},
  ) => {
    const { method, url } = requestContext.request;
    // Encoded before the commit, because the writes of a group all continue in the turn of the event loop after it.
    const runAndEncode = async (scope: WriteScope) => {
      const presented = await runWithinStorageLimit(scope, scopes.store, storageChange, runUseCase);
      // The responses of all writes have a body.
      return { ...presented, body: new EncodedJson(JSON.stringify(presented.body)) };
    };
    const idempotencyKey = request.headers?.["Idempotency-Key"];
    // Safe cast, also below: encoded JSON is sent like the value that it was made from.
    if (typeof idempotencyKey !== "string") return (await runWrite(scopes, principal, runAndEncode)) as R;
    // Two API keys can use the same Idempotency-Key for different writes.
    const id = hashValues([userId, idempotencyKey]);
    const fingerprint = hashValues([method, url, request.body, request.headers?.["If-Match"]]);
    const { stored, response } = await runWrite(scopes, principal, async (scope) => {
      const now = Date.now();
      const stored = await findOrExpireStoredResponse(scope, id, now);
      if (stored !== undefined) return { stored };
      const response = await runAndEncode(scope);
      const record = { fingerprint, status: response.status, content: encodeStoredResponse(response) };
      const quotaBytes = getStoredResponsesQuotaBytes(principal.requestLimit);
      await storeResponse(scope, id, record, { now, quotaBytes });
      return { response };
    });
    if (stored === undefined) return response as R;
    if (Buffer.compare(stored.fingerprint, fingerprint) !== 0) throw createValidationError(KEY_REUSED);
    if (stored.content === null) throw createValidationError(TOO_LARGE_TO_REPLAY);
    // The transactions of many replays can end in one turn.
    await awaitEventLoopTurn(principal.workspaceId);
    requestContext.headers["Idempotency-Replayed"] = "true";
    // A request with the same fingerprint is for the same operation, whose use case returned the stored response.
    return decodeStoredResponse(stored.status, stored.content) as R;
  };
}

const HASH_BYTES = 16;

/** Hashes values to 128 bits, which makes collisions within a workspace negligible. */
function hashValues(values: readonly unknown[]): Uint8Array {
  return createHash("sha256").update(JSON.stringify(values)).digest().subarray(0, HASH_BYTES);
}
