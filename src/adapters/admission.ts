import { randomUUID } from "node:crypto";
import type { Authenticate } from "../access/authenticate.js";
import type { RateLimiter } from "../access/rate-limit.js";
import type { Exchange } from "../http/index.js";
import type { Context, SuppliedHeaders } from "./context.js";
import { RateLimited, Unauthorized } from "./errors.js";

/** Lets a request in, or throws; either way the exchange has the headers that every response carries. */
export type Admit = (exchange: Exchange) => Promise<Context>;

/** Makes the check that every API request passes first: request id, key, limit. */
export function createAdmission(authenticate: Authenticate, limiter: RateLimiter): Admit {
  return async ({ request, headers }) => {
    headers["X-Request-Id"] = randomUUID();
    let refusal: unknown = new Unauthorized();
    // A database that cannot be asked refuses the request too, and its answer carries the headers like any other.
    const principal = await authenticate(request.headers.authorization).catch((error: unknown) => {
      refusal = error;
      return undefined;
    });
    const window = principal
      ? await limiter.consume(principal.workspaceId, principal.limit)
      : await limiter.consumeAnonymous(request.socket.remoteAddress);
    const limits: Record<Exclude<SuppliedHeaders, "X-Request-Id">, number> = {
      "X-RateLimit-Limit": window.limit,
      "X-RateLimit-Remaining": window.remaining,
      "X-RateLimit-Reset": window.resetSeconds,
    };
    Object.assign(headers, limits, { "X-Content-Type-Options": "nosniff" });
    if (!window.allowed) {
      headers["Retry-After"] = window.retryAfterSeconds;
      throw new RateLimited(window.retryAfterSeconds);
    }
    if (!principal) throw refusal;
    return { principal };
  };
}
