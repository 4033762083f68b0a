import { RETRY_AFTER_SECONDS } from "../budgets.js";
import type { components } from "../../generated/types.js";
import { DomainError, type DomainErrorKind } from "../domain/errors.js";
import {
  type RequestContext,
  type HttpOperation,
  type InvalidRequestReason,
  type HttpResponse,
  InvalidRequestError,
} from "../http/index.js";
import { isWrite } from "./is-write.js";
import { MalformedRequestError } from "./malformed-request.js";
import { BusyError, LockTimeoutError, OperationalError } from "../errors.js";

/** The error of a request without a valid API key. */
export class UnauthorizedError extends Error {}

/** The error of a request beyond the rate limit of its workspace, or of its address if the caller is anonymous. */
export class RateLimitedError extends Error {
  /** @param isFirst whether no earlier request of the same window was refused */
  constructor(
    readonly retryAfterSeconds: number,
    readonly caller: "workspace" | "address",
    readonly isFirst: boolean,
  ) {
    super(`You have been rate limited. Please try again in ${retryAfterSeconds} seconds.`);
  }
}

/** The error of a request whose method and path belong to no operation. */
export class InvalidRequestUrlError extends Error {}

interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const REFUSALS: Record<InvalidRequestReason, Omit<Failure, "message">> = {
  aborted: { status: 400, code: "invalid_request" },
  invalid_json: { status: 400, code: "invalid_json" },
  invalid_value: { status: 400, code: "validation_error" },
  missing_body: { status: 400, code: "validation_error" },
  payload_too_large: { status: 413, code: "validation_error" },
  unsupported_media_type: { status: 400, code: "invalid_request" },
};

const DOMAIN_ERRORS: Record<DomainErrorKind, Omit<Failure, "message">> = {
  validation: { status: 400, code: "validation_error" },
  invalid_cursor: { status: 400, code: "validation_error" },
  restricted: { status: 403, code: "restricted_resource" },
  not_found: { status: 404, code: "object_not_found" },
  conflict: { status: 409, code: "conflict_error" },
};

const UNAVAILABLE: Failure = {
  status: 503,
  code: "service_unavailable",
  message: "Service unavailable. Please try again later.",
};

// These messages begin with the whole message of Notion's API.

const UNAUTHORIZED: Failure = {
  status: 401,
  code: "unauthorized",
  message: "API token is invalid. Send an active API key in the header Authorization, as Bearer API_KEY.",
};

const INVALID_URL: Failure = {
  status: 400,
  code: "invalid_request_url",
  message: "Invalid request URL. Version 2022-06-28 has no operation with this method and path: see /docs.",
};

const CONFLICT: Failure = {
  status: 409,
  code: "conflict_error",
  message: "Conflict occurred while saving. Please try again.",
};

/** Creates the response of the API to an error, and reports errors with a 5xx status. */
export function createErrorResponse(
  error: unknown,
  requestContext: RequestContext,
  operation: HttpOperation | undefined,
  report: (error: unknown) => void,
): HttpResponse {
  const { status, code, message } = toFailure(error, operation);
  // Errors after the client has disconnected are not reported, because the disconnection can cause them.
  if (status >= 500 && !requestContext.response.destroyed) report(error);
  if (status === 503) requestContext.headers["Retry-After"] = RETRY_AFTER_SECONDS;
  const body: components["schemas"]["Error"] = {
    object: "error",
    status,
    code,
    message,
    request_id: String(requestContext.headers["X-Request-Id"]),
  };
  return { status, body };
}

/** Whether an error gets the status 500. */
export function isUnexpectedError(error: unknown): boolean {
  return toFailure(error, undefined).status === 500;
}

function toFailure(error: unknown, operation: HttpOperation | undefined): Failure {
  if (error instanceof InvalidRequestError) return { ...REFUSALS[error.reason], message: error.message };
  if (error instanceof MalformedRequestError) {
    return { status: error.status, code: "invalid_request", message: error.message };
  }
  if (error instanceof DomainError) return { ...DOMAIN_ERRORS[error.kind], message: error.message };
  if (error instanceof UnauthorizedError) return UNAUTHORIZED;
  if (error instanceof RateLimitedError) return { status: 429, code: "rate_limited", message: error.message };
  if (error instanceof InvalidRequestUrlError) return INVALID_URL;
  if (error instanceof BusyError) return { ...UNAVAILABLE, message: error.message };
  // Reads never conflict. A read gets this error when the database is locked.
  if (error instanceof LockTimeoutError && operation && isWrite(operation)) return CONFLICT;
  if (error instanceof OperationalError) return UNAVAILABLE;
  // Generated stubs of handlers throw this error.
  if (error instanceof Error && "status" in error && error.status === 501) {
    return { status: 501, code: "invalid_request", message: error.message };
  }
  return { status: 500, code: "internal_server_error", message: "Unexpected error occurred." };
}
