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

/** The error codes of the OpenAPI document. */
export type ErrorCode = CodesOf<operations[keyof operations]["responses"]>;

/** An error response of the service, or of a proxy in front of it. */
export class PageServiceError extends ApiError {
  override readonly name = "PageServiceError";
  /**
   * Error code of the service, e.g. `object_not_found`; newer services can have further codes. `unknown` when the
   * response is not the service's, for example from a proxy.
   */
  declare readonly code: ErrorCode | (string & {});
  /** Identifier of the request in the log of the service. */
  declare readonly requestId: string | undefined;

  constructor(failure: Failure) {
    const { message, code }: Record<string, unknown> = Object(failure.body);
    super(failure, typeof message === "string" ? message : undefined);
    this.code = typeof code === "string" ? code : "unknown";
    this.requestId = failure.headers.get("X-Request-Id") ?? undefined;
  }
}

/** A call without a response: `network` when the service is unreachable, `timeout` when the time limit is exceeded. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  declare readonly reason: "network" | "timeout";

  constructor(reason: "network" | "timeout", message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/**
 * Whether an error is an error response of the service.
 *
 * @param code accepts only errors with this code; any code when omitted
 */
export function isPageServiceError(error: unknown): error is PageServiceError;
export function isPageServiceError<Code extends ErrorCode>(
  error: unknown,
  code: Code,
): error is PageServiceError & { readonly code: Code };
export function isPageServiceError(error: unknown, code?: ErrorCode): boolean {
  return error instanceof PageServiceError && (code === undefined || error.code === code);
}
