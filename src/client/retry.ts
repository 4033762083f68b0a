import type { Around, AttemptResult } from "../../generated/client.js";
import { ConnectionError, type ErrorCode } from "./errors.js";

/** A finished attempt of a call. It contains no headers or bodies, and therefore no API key. */
export interface LogEntry {
  operation: string;
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

/** Bounds of the exponential backoff. Jitter adds up to as much again. */
const MIN_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 4000;
/** Longest delay of a timer; a longer one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Retries temporary failures until the time is up. Only idempotent calls are retried: those that change nothing or
 * replace a whole resource, and those that an idempotency key identifies.
 */
export function withRetries(fetch: Fetch, { timeout = 90_000, retries = 4, log }: RetryOptions): Around {
  return async (operation, attempt, options) => {
    const end = performance.now() + timeout;
    const controller = new AbortController();
    const { signal } = controller;
    // Registered first: `log` may abort the call.
    const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));
    const stop = (): void => controller.abort(options.signal?.reason);
    options.signal?.addEventListener("abort", stop);
    if (options.signal?.aborted) stop();
    const noResponse = `${operation.name} got no response`;
    const expire = (): void =>
      controller.abort(new ConnectionError("timeout", `${noResponse} within ${timeout} ms.`));
    const timer = setTimeout(expire, Math.min(timeout, MAX_TIMER_MS));
    let pause: ReturnType<typeof setTimeout> | undefined;
    // All attempts have the same key, so that the service executes the call once.
    const headers = typeof operation.idempotent === "string" ? { [operation.idempotent]: newKey() } : {};
    const tryOnce = async (): Promise<Outcome> => {
      let request: Request | undefined;
      try {
        const result = await attempt({ headers, signal, fetch: (sent) => fetch((request = sent)) });
        // The cast: a result implies a request.
        return { request: request as unknown as Request, result };
      } catch (cause) {
        // Nothing was sent: the request itself is wrong.
        if (!request) throw cause;
        const lost = new ConnectionError("network", `${noResponse}: ${String(cause)}`, cause);
        return { request, error: signal.aborted ? signal.reason : lost };
      }
    };
    try {
      for (let number = 1; ; number += 1) {
        const start = performance.now();
        const { request, result, error } = await tryOnce();
        const now = performance.now();
        const wait = waitBeforeRetry(number, result);
        const retry =
          operation.idempotent &&
          number <= retries &&
          isTemporary(request, result) &&
          now + wait < end &&
          !signal.aborted;
        log?.({
          operation: operation.name,
          url: request.url,
          attempt: number,
          milliseconds: now - start,
          status: result?.response.status,
          error,
          retryIn: retry ? wait : undefined,
        });
        if (retry) {
          await Promise.race([stopped, new Promise((resolve) => (pause = setTimeout(resolve, wait)))]);
          signal.throwIfAborted();
        } else if (result) return result;
        else throw error;
      }
    } finally {
      clearTimeout(timer);
      clearTimeout(pause);
      options.signal?.removeEventListener("abort", stop);
    }
  };
}

/** The outcome of an attempt: a result, or the reason why there is none. */
interface Outcome {
  request: Request;
  result?: AttemptResult;
  error?: unknown;
}

/** Whether another attempt may succeed. Without a response it may. */
function isTemporary(request: Request, result: AttemptResult | undefined): boolean {
  if (!result) return true;
  const { response, error } = result;
  if (RETRIED_STATUSES.includes(response.status)) return true;
  // With If-Match the conflict is permanent: the version that the caller requires is gone.
  return Object(error).code === CONFLICT && !request.headers.has("If-Match");
}

/** Milliseconds to wait: the Retry-After of the response, plus exponential backoff with jitter. */
export function waitBeforeRetry(attempt: number, result: AttemptResult | undefined): number {
  const header = result?.response.headers.get("Retry-After") ?? "";
  const requested = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  const backoff = Math.min(MIN_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
  return (requested > 0 ? requested : 0) + backoff * (1 + Math.random());
}

/** A new idempotency key. Not a UUID: browsers create those on https pages only. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
