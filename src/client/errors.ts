import { ApiError, type Failure } from "../../generated/client.js";
import type { operations } from "../../generated/types.js";

type CodesOf<Responses> = Responses extends unknown
  ? {
      [Status in keyof Responses]: Responses[Status] extends {
        content: { "application/json": { object: "error"; code: infer Code } };
      }
        ? Code
        : never;
    }[keyof Responses]
  : never;

/** The codes of errors that the document declares. */
export type ErrorCode = CodesOf<operations[keyof operations]["responses"]>;

/** Thrown when the service, or something before it, answers a call with an error. */
export class PageServiceError extends ApiError {
  override readonly name = "PageServiceError";
  /**
   * Error code of the service, e.g. `object_not_found`, or one that a newer service has; `unknown` when something else
   * answered, a proxy say.
   */
  declare readonly code: ErrorCode | (string & {});
  /** Identifier of the request, which the service's log names too. */
  declare readonly requestId: string | undefined;

  constructor(failure: Failure) {
    const { message, code }: Record<string, unknown> = Object(failure.body);
    super(failure, typeof message === "string" ? message : undefined);
    this.code = typeof code === "string" ? code : "unknown";
    this.requestId = failure.headers.get("X-Request-Id") ?? undefined;
  }
}

/** Thrown when no answer came: `network` when the service could not be reached, `timeout` when the time was up. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  declare readonly reason: "network" | "timeout";

  constructor(reason: "network" | "timeout", message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/**
 * Whether an error is one that the service answered with.
 *
 * @param code when it is given, only an error with this code
 */
export function isPageServiceError(error: unknown): error is PageServiceError;
export function isPageServiceError<Code extends ErrorCode>(
  error: unknown,
  code: Code,
): error is PageServiceError & { readonly code: Code };
export function isPageServiceError(error: unknown, code?: ErrorCode): boolean {
  return error instanceof PageServiceError && (code === undefined || error.code === code);
}
