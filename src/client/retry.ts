import type { Answer, Around } from "../../generated/client.js";
import { ConnectionError, type ErrorCode } from "./errors.js";

/** One try of a call, when it is over. It holds nothing of headers or bodies, and so no API key. */
export interface LogEntry {
  operation: string;
  url: string;
  /** 1 for the first try. */
  attempt: number;
  /** How long the try took. */
  milliseconds: number;
  /** HTTP status; undefined when no answer came. */
  status: number | undefined;
  /** Why no answer came. */
  error: unknown;
  /** Milliseconds until the next try; undefined when there is none. */
  retryIn: number | undefined;
}

export interface RetryOptions {
  /** Milliseconds that a call may take, with all its tries and the waits between them; 90 seconds when left out. */
  timeout?: number;
  /** How often a call is tried again at most; 4 times when left out. */
  retries?: number;
  /** Told of each try. */
  log?: (entry: LogEntry) => void;
}

export type Fetch = (request: Request) => Promise<Response>;

/** Statuses that pass by themselves; a conflict of writes does as well. */
const PASSING: readonly number[] = [429, 502, 503, 504];
const CONFLICT: ErrorCode = "conflict_error";

/** The least milliseconds between two tries, which double each time; chance adds up to as many again. */
const SHORTEST_WAIT = 250;
const LONGEST_WAIT = 4000;
/** A timer that is asked for more ends at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Sends a call again that got no answer, or one that passes, until the time is up. It does so only where nothing is done
 * twice: the call changes nothing, or a key of its own names it to the service.
 */
export function withRetries(fetch: Fetch, { timeout = 90_000, retries = 4, log }: RetryOptions): Around {
  return async (call, attempt, options) => {
    const end = performance.now() + timeout;
    const controller = new AbortController();
    const { signal } = controller;
    // Before it can be aborted: also by whoever is told of a try.
    const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));
    const stop = (): void => controller.abort(options.signal?.reason);
    options.signal?.addEventListener("abort", stop);
    if (options.signal?.aborted) stop();
    const noAnswer = `${call.name} got no answer`;
    const expire = (): void =>
      controller.abort(new ConnectionError("timeout", `${noAnswer} within ${timeout} ms.`));
    const timer = setTimeout(expire, Math.min(timeout, LONGEST_TIMER));
    let pause: ReturnType<typeof setTimeout> | undefined;
    // The same for all tries: the service does what they ask for once.
    const headers = typeof call.repeatable === "string" ? { [call.repeatable]: newKey() } : {};
    const once = async (): Promise<Outcome> => {
      let request: Request | undefined;
      try {
        const answer = await attempt({ headers, signal, fetch: (sent) => fetch((request = sent)) });
        // The cast: there is no answer without it.
        return { request: request as unknown as Request, answer };
      } catch (cause) {
        // Nothing was sent: the mistake is the caller's.
        if (!request) throw cause;
        const lost = new ConnectionError("network", `${noAnswer}: ${String(cause)}`, cause);
        return { request, error: signal.aborted ? signal.reason : lost };
      }
    };
    try {
      for (let tries = 1; ; tries += 1) {
        const start = performance.now();
        const { request, answer, error } = await once();
        const now = performance.now();
        const wait = waitAfter(tries, answer);
        const again =
          call.repeatable &&
          tries <= retries &&
          passes(request, answer) &&
          now + wait < end &&
          !signal.aborted;
        log?.({
          operation: call.name,
          url: request.url,
          attempt: tries,
          milliseconds: now - start,
          status: answer?.response.status,
          error,
          retryIn: again ? wait : undefined,
        });
        if (again) {
          await Promise.race([stopped, new Promise((resolve) => (pause = setTimeout(resolve, wait)))]);
          signal.throwIfAborted();
        } else if (answer) return answer;
        else throw error;
      }
    } finally {
      clearTimeout(timer);
      clearTimeout(pause);
      options.signal?.removeEventListener("abort", stop);
    }
  };
}

/** What came of a try: an answer, or why there is none. */
interface Outcome {
  request: Request;
  answer?: Answer;
  error?: unknown;
}

/** Whether another try may come to more; without an answer, it may. */
function passes(request: Request, answer: Answer | undefined): boolean {
  if (!answer) return true;
  const { response, error } = answer;
  if (PASSING.includes(response.status)) return true;
  // A version that the caller names does not come back.
  return Object(error).code === CONFLICT && !request.headers.has("If-Match");
}

/** How long to wait: what the service asks for, and a while that chance has a part in, so that not all come at once. */
function waitAfter(tries: number, answer: Answer | undefined): number {
  const asked = answer?.response.headers.get("Retry-After") ?? "";
  const milliseconds = /^\d+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now();
  const least = Math.min(SHORTEST_WAIT * 2 ** (tries - 1), LONGEST_WAIT);
  return (milliseconds > 0 ? milliseconds : 0) + least * (1 + Math.random());
}

/** Not a UUID: browsers make those on pages of https alone. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
