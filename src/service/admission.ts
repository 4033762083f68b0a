import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Authenticator, Principal } from "../access/keys/authenticate.js";
import type { IsFromTrustedProxy, ProxyHeaderReader } from "../access/limits/client-address.js";
import type { RateLimitState, RateLimiter } from "../access/limits/rate-limit.js";
import type { UsageRecorder } from "../access/limits/usage.js";
import type { HandlerContext, SuppliedHeaders } from "../adapters/context.js";
import { MAX_BODY_BYTES, MEMORY_BYTES_PER_BODY_BYTE, REQUEST_MEMORY_BYTES } from "../budgets.js";
import type { RequestContext, HttpOperation } from "../http/index.js";
import { requireWriteAccess, type Scopes } from "../operations/execution/scope.js";
import { BusyError } from "../errors.js";
import { createCancelSignal } from "./cancel-signal.js";
import type { MemoryBudget } from "./memory-budget.js";
import { createIdempotentWrite } from "./idempotent-write.js";
import { isWrite } from "./is-write.js";
import { setPrincipal } from "./request-log.js";
import { RateLimitedError, UnauthorizedError } from "./error-response.js";

export type AdmitRequest = ReturnType<typeof createAdmission>;

interface AdmissionDependencies extends ProxyHeaderReader {
  readonly authenticate: Authenticator;
  readonly limiter: RateLimiter;
  readonly usage: UsageRecorder;
  readonly memory: MemoryBudget;
  readonly scopes: Scopes;
}

/**
 * Creates the first step of every API request: request id, API key, rate limit and write access. It returns the context of the
 * handler, or throws. In both cases it adds the headers of all responses.
 */
export function createAdmission(parts: AdmissionDependencies) {
  const { authenticate, limiter, usage, memory, scopes, readClientAddress, isFromTrustedProxy } = parts;
  return async (requestContext: RequestContext, operation?: HttpOperation): Promise<HandlerContext> => {
    const { request, response, headers, startTime } = requestContext;
    const requestId = assignRequestId(request, isFromTrustedProxy);
    headers["X-Request-Id"] = requestId;
    headers["X-Content-Type-Options"] = "nosniff";
    const principal = await authenticateWithinRateLimit(requestContext);
    // Scopes.createWriteScope checks this again. Checking it here refuses the request before its body is read.
    if (operation && isWrite(operation)) requireWriteAccess(principal);
    const keepReserved = memory.reserve(principal.workspaceId, estimateMemoryBytes(request), response);
    const write = createIdempotentWrite(scopes, principal, requestContext);
    return {
      scope: scopes.createReadScope(principal, () => createCancelSignal(response, startTime)),
      requestId,
      // A write is done even if its client leaves, and keeps its body until then.
      write: (...parameters) => keepReserved(write(...parameters)),
    };
  };

  /** Finds the principal of a request and counts the request. Throws for a request beyond the rate limit or without a valid key. */
  async function authenticateWithinRateLimit({ request, headers }: RequestContext): Promise<Principal> {
    let principal: Principal | undefined;
    // The error is thrown later, so that a response to a failed lookup, such as 503, has the rate limit headers too.
    let failure: { error: unknown } | undefined;
    try {
      principal = await authenticate(request.headers.authorization, () => readClientAddress(request));
    } catch (error) {
      failure = { error };
    }
    const rateLimit = principal
      ? await limiter.countWorkspaceRequest(principal.workspaceId, principal.requestLimit)
      : await limiter.countAnonymousRequest(readClientAddress(request));
    setRateLimitHeaders(headers, rateLimit);
    if (principal) {
      setPrincipal(request, principal);
      usage.record(principal, rateLimit.allowed);
    }
    // Thrown before the error of the rate limit: a key that could not be looked up may be valid, so its caller must not get the
    // 429 of anonymous callers, unless it waited for too many unknown keys of the same address.
    if (failure && (rateLimit.allowed || !(failure.error instanceof BusyError))) throw failure.error;
    if (!rateLimit.allowed) {
      headers["Retry-After"] = rateLimit.retryAfterSeconds;
      throw new RateLimitedError(
        rateLimit.retryAfterSeconds,
        principal ? "workspace" : "address",
        rateLimit.isFirstRefused,
      );
    }
    // The error is created only here, because its stack trace costs as much as the rest of admission.
    if (!principal) throw new UnauthorizedError();
    return principal;
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the UUID that a trusted proxy sent, or a new one. Logs contain the id, so it is never another text. */
function assignRequestId(request: IncomingMessage, isFromTrustedProxy: IsFromTrustedProxy): string {
  const receivedId = request.headers["x-request-id"];
  const isValid = typeof receivedId === "string" && UUID.test(receivedId) && isFromTrustedProxy(request);
  return isValid ? receivedId : randomUUID();
}

/** Estimates the memory of a request. A body of unknown length counts as the longest body. */
function estimateMemoryBytes({ headers }: IncomingMessage): number {
  const length =
    headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Infinity;
  return REQUEST_MEMORY_BYTES + MEMORY_BYTES_PER_BODY_BYTE * Math.min(length, MAX_BODY_BYTES);
}

function setRateLimitHeaders(headers: RequestContext["headers"], rateLimit: RateLimitState): void {
  headers["X-RateLimit-Limit" satisfies SuppliedHeaders] = rateLimit.limit;
  headers["X-RateLimit-Remaining" satisfies SuppliedHeaders] = rateLimit.remaining;
  headers["X-RateLimit-Reset" satisfies SuppliedHeaders] = rateLimit.resetUnixSeconds;
}
