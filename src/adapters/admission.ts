import { randomUUID } from "node:crypto";
import type { Authenticate, Principal } from "../access/authenticate.js";
import type { ClientAddress } from "../access/client-address.js";
import type { RateLimit, RateLimiter } from "../access/rate-limit.js";
import type { Usage } from "../access/usage.js";
import type { Exchange, HttpOperation } from "../http/index.js";
import type { Store } from "../storage/store.js";
import type { Context, SuppliedHeaders } from "./context.js";
import { RateLimited, RestrictedResource, Unauthorized } from "./errors.js";
import { createWrite } from "./repeatable-write.js";

/**
 * Lets a request in, or throws; either way the exchange has the headers that every response carries.
 *
 * @param operation what is asked for; undefined when there is no such operation
 */
export type Admit = (exchange: Exchange, operation?: HttpOperation) => Promise<Context>;

/** Whether a read-only key may not do this; what is not known to read, writes. */
export function changesSomething({ method, safe }: Pick<HttpOperation, "method" | "safe">): boolean {
  return method !== "GET" && safe !== true;
}

/** Makes the check that every API request passes first: request id, key, limit, rights. */
export function createAdmission(
  authenticate: Authenticate,
  limiter: RateLimiter,
  usage: Usage,
  store: Store,
  addressOf: ClientAddress,
): Admit {
  return async (exchange, operation) => {
    const { request, headers } = exchange;
    const requestId = randomUUID();
    headers["X-Request-Id"] = requestId;
    headers["X-Content-Type-Options"] = "nosniff";
    let principal: Principal | undefined;
    // A database that cannot be asked refuses the request too, and its answer carries the headers like any other.
    let failure: { error: unknown } | undefined;
    try {
      principal = await authenticate(request.headers.authorization);
    } catch (error) {
      failure = { error };
    }
    const window = principal
      ? await limiter.consume(principal.workspaceId, principal.limit)
      : await limiter.consumeAnonymous(addressOf(request));
    setLimits(headers, window);
    if (principal) usage.record(principal, window.allowed);
    // Whether the key is valid nobody can tell: its owner must not be told that unknown callers of his address ask too much.
    if (failure) throw failure.error;
    if (!window.allowed) {
      headers["Retry-After"] = window.retryAfterSeconds;
      throw new RateLimited(window.retryAfterSeconds, principal ? "workspace" : "address");
    }
    if (principal?.readOnly && operation && changesSomething(operation)) throw new RestrictedResource();
    if (principal) return { principal, requestId, write: createWrite(store, principal, exchange) };
    // Made only when it is thrown: an error costs as much as all the rest, for its stack trace.
    throw new Unauthorized();
  };
}

function setLimits(headers: Exchange["headers"], window: RateLimit): void {
  headers["X-RateLimit-Limit" satisfies SuppliedHeaders] = window.limit;
  headers["X-RateLimit-Remaining" satisfies SuppliedHeaders] = window.remaining;
  headers["X-RateLimit-Reset" satisfies SuppliedHeaders] = window.resetSeconds;
}
