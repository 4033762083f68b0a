import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { Principal } from "../access/authenticate.js";
import { DomainError } from "../domain/errors.js";
import type { Exchange, HttpRequest, Reply } from "../http/index.js";
import { findAnswer, keepAnswer, type KeptAnswer } from "../storage/idempotency.js";
import type { Store } from "../storage/store.js";
import type { Tables } from "../storage/tables.js";
import type { Context } from "./context.js";

/**
 * Makes `context.write`. A request with an Idempotency-Key leaves its answer in the transaction that it writes in: when it
 * comes again, it gets that answer once more and changes nothing. One that fails leaves nothing.
 */
export function createWrite(store: Store, principal: Principal, exchange: Exchange): Context["write"] {
  const { workspaceId, keyId } = principal;
  return async <R extends Reply>(request: HttpRequest, job: (tx: Kysely<Tables>) => Promise<R>) => {
    const idempotencyKey = request.headers?.["Idempotency-Key"];
    if (typeof idempotencyKey !== "string") return store.write(job, workspaceId);

    const key = { workspaceId, keyId, idempotencyKey };
    const fingerprint = fingerprintOf(exchange, request);
    const { reply, again } = await store.write(async (tx) => {
      const now = Date.now();
      const kept = await findAnswer(tx, key, now);
      if (kept === undefined) {
        const made = await job(tx);
        const answer = {
          fingerprint,
          status: made.status,
          body: JSON.stringify(made.body),
          headers: made.headers === undefined ? null : JSON.stringify(made.headers),
        };
        await keepAnswer(tx, key, answer, now);
        return { reply: made, again: false };
      }
      if (kept.fingerprint !== fingerprint) throw otherRequest();
      return { reply: replyOf(kept), again: true };
    }, workspaceId);
    if (again) exchange.headers["Idempotency-Replayed"] = "true";
    // The cast: the request that came first had the same fingerprint, so a job of the same operation made it.
    return reply as R;
  };
}

// The casts: what was written there is a reply's.
function replyOf({ status, body, headers }: KeptAnswer): Reply {
  return {
    status,
    body: JSON.parse(body) as unknown,
    ...(headers === null ? {} : { headers: JSON.parse(headers) as object }),
  };
}

/** What the request asks for: operation, path and body. */
function fingerprintOf({ request: { method, url } }: Exchange, { body }: HttpRequest): string {
  return createHash("sha256")
    .update(JSON.stringify([method, url, body]))
    .digest("hex");
}

function otherRequest(): DomainError {
  return new DomainError(
    "validation",
    'headers failed validation: headers["Idempotency-Key"] was sent with another request before. ' +
      "Give each write a key of its own, and send a write again unchanged.",
  );
}
