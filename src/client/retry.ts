import type { Around, AttemptResult } from "../../generated/client.js";
import { ConnectionError, type ErrorCode } from "./errors.js";

/** A finished attempt of a call. It contains no headers or bodies, and therefore no API key. */
export interface LogEntry {
  operation: string;
  /** URL of the request; empty if a middleware of openapi-fetch supplied the response. */
  url: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** Duration of the attempt. */
  milliseconds: number;
  /** HTTP status; undefined without a response. */
  status: number | undefined;
  /** The reason why there is no response. */
  error: unknown;
  /** Milliseconds until the next attempt; undefined when there is none. */
  retryIn: number | undefined;
}

export interface RetryOptions {
  /** Milliseconds that a call may take including retries and the waits between them; 90 seconds by default. */
  timeout?: number;
  /** Maximum number of retries; 4 by default. */
  retries?: number;
  /** Called after each attempt. */
  log?: (entry: LogEntry) => void;
}

export type Fetch = (request: Request) => Promise<Response>;

/** Statuses of temporary failures. Conflicts of concurrent writes are retried too. */
const RETRIED_STATUSES: readonly number[] = [429, 502, 503, 504];
const CONFLICT: ErrorCode = "conflict_error";

/** Bounds of the exponential backoff, which random jitter at most doubles. */
const MIN_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 4000;
/** Longest delay that setTimeout supports; with a longer one the timer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Retries temporary failures until the time is up. Only idempotent calls are retried: those that change nothing or
 * replace a whole resource, and those that an idempotency key identifies.
 */
export function withRetries(fetch: Fetch, { timeout = 90_000, retries = 4, log }: RetryOptions): Around {
  return async (operation, attempt, options) => {
    const deadline = performance.now() + timeout;
    const controller = new AbortController();
    const { signal } = controller;
    // Listens from the beginning, because `log` may abort the call before the wait for a retry.
    const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
    const forwardAbort = (): void => controller.abort(options.signal?.reason);
    options.signal?.addEventListener("abort", forwardAbort);
    if (options.signal?.aborted) forwardAbort();
    const noResponse = `${operation.name} got no response`;
    const abortAtDeadline = (): void =>
      controller.abort(new ConnectionError("timeout", `${noResponse} within ${timeout} ms.`));
    const deadlineTimer = setTimeout(abortAtDeadline, Math.min(timeout, MAX_TIMER_MS));
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    // All attempts have the same key, so that the service executes the call once.
    const headers =
      typeof operation.idempotent === "string" ? { [operation.idempotent]: createIdempotencyKey() } : {};
    const tryOnce = async (): Promise<Outcome> => {
      const sent: { request?: Request } = {};
      try {
        const result = await attempt({
          headers,
          signal,
          fetch: (request) => fetch((sent.request = request)),
        });
        return { ...sent, result };
      } catch (cause) {
        // Nothing was sent: the request itself is wrong.
        if (!sent.request) throw cause;
        const connectionError = new ConnectionError("network", `${noResponse}: ${String(cause)}`, cause);
        return { ...sent, error: signal.aborted ? signal.reason : connectionError };
      }
    };
    try {
      for (let attemptNumber = 1; ; attemptNumber += 1) {
        const start = performance.now();
        const { request, result, error } = await tryOnce();
        const now = performance.now();
        const wait = computeRetryDelayMs(attemptNumber, result);
        const retry =
          operation.idempotent &&
          attemptNumber <= retries &&
          isTemporary(request, result) &&
          now + wait < deadline &&
          !signal.aborted;
        log?.({
          operation: operation.name,
          url: request?.url ?? "",
          attempt: attemptNumber,
          milliseconds: now - start,
          status: result?.response.status,
          error,
          retryIn: retry ? wait : undefined,
        });
        if (retry) {
          await Promise.race([aborted, new Promise((resolve) => (retryTimer = setTimeout(resolve, wait)))]);
          signal.throwIfAborted();
        } else if (result) return result;
        else throw error;
      }
    } finally {
      clearTimeout(deadlineTimer);
      clearTimeout(retryTimer);
      options.signal?.removeEventListener("abort", forwardAbort);
    }
  };
}

/** The outcome of an attempt: a result, or the reason why there is none. */
interface Outcome {
  /** Undefined if a middleware of openapi-fetch gave the response. */
  request?: Request;
  result?: AttemptResult;
  error?: unknown;
}

/** Whether another attempt may succeed, as it may if there was no response. */
function isTemporary(request: Request | undefined, result: AttemptResult | undefined): boolean {
  if (!result) return true;
  // With If-Match a conflict is permanent: the version that the caller requires is gone.
  const isTemporaryConflict = Object(result.error).code === CONFLICT && !request?.headers.has("If-Match");
  return RETRIED_STATUSES.includes(result.response.status) || isTemporaryConflict;
}

/** Returns the time until the next attempt: the Retry-After of the response, plus exponential backoff with jitter. */
export function computeRetryDelayMs(attempt: number, result: AttemptResult | undefined): number {
  const header = result?.response.headers.get("Retry-After") ?? "";
  // The header has seconds or a date.
  const requested = Number(header) * 1000 || Date.parse(header) - Date.now();
  const backoff = Math.min(MIN_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
  return (requested > 0 ? requested : 0) + backoff * (1 + Math.random());
}

/** Creates a random idempotency key. `crypto.randomUUID` is not used, because browsers have it on https pages only. */
function createIdempotencyKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
