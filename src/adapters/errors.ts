import type { components } from "../../generated/types.js";
import { DomainError } from "../domain/errors.js";
import { type Exchange, type RefusalReason, type Reply, RequestRefused } from "../http/index.js";
import { Unreadable } from "../http/unreadable.js";
import { ConflictError, StorageUnavailableError } from "../storage/errors.js";

/** The request has no valid key. */
export class Unauthorized extends Error {}

/** The key is valid, and may not do this. */
export class RestrictedResource extends Error {
  constructor() {
    super("API token is read-only. Use a key with full access to change something.");
  }
}

/** The window of the workspace, or of the address, is used up. */
export class RateLimited extends Error {
  constructor(
    readonly retryAfterSeconds: number,
    readonly caller: "workspace" | "address",
  ) {
    super(`You have been rate limited. Please try again in ${retryAfterSeconds} seconds.`);
  }
}

/** No operation has this path and method. */
export class InvalidRequestUrl extends Error {}

interface Answer {
  status: number;
  code: string;
  message: string;
}

const REFUSALS: Record<RefusalReason, { status: number; code: string }> = {
  aborted: { status: 400, code: "invalid_request" },
  invalid_json: { status: 400, code: "invalid_json" },
  invalid_value: { status: 400, code: "validation_error" },
  missing_body: { status: 400, code: "validation_error" },
  payload_too_large: { status: 413, code: "validation_error" },
  unsupported_media_type: { status: 400, code: "invalid_request" },
};

const UNAVAILABLE: Answer = {
  status: 503,
  code: "service_unavailable",
  message: "Service unavailable. Please try again later.",
};

/**
 * The error object for anything that was thrown while a request was answered: the one place where failures get their
 * status and code.
 *
 * @param report is told of the errors that are the service's own fault
 */
export function errorReply(error: unknown, exchange: Exchange, report: (error: unknown) => void): Reply {
  const { status, code, message } = answerFor(error, exchange);
  if (status >= 500) report(error);
  const body: components["schemas"]["Error"] = {
    object: "error",
    status,
    code,
    message,
    request_id: String(exchange.headers["X-Request-Id"]),
  };
  return { status, body };
}

function answerFor(error: unknown, exchange: Exchange): Answer {
  if (error instanceof RequestRefused) return { ...REFUSALS[error.reason], message: error.message };
  if (error instanceof Unreadable)
    return { status: error.status, code: "invalid_request", message: error.message };
  if (error instanceof DomainError) return { ...domainAnswer(error), message: error.message };
  if (error instanceof Unauthorized)
    return { status: 401, code: "unauthorized", message: "API token is invalid." };
  if (error instanceof RestrictedResource)
    return { status: 403, code: "restricted_resource", message: error.message };
  if (error instanceof RateLimited) return { status: 429, code: "rate_limited", message: error.message };
  if (error instanceof InvalidRequestUrl) {
    return { status: 400, code: "invalid_request_url", message: "Invalid request URL." };
  }
  if (error instanceof StorageUnavailableError) return UNAVAILABLE;
  if (error instanceof ConflictError) {
    // Reading conflicts with nobody: a lock that stops a read is the store being out of reach.
    if (exchange.request.method === "GET") return UNAVAILABLE;
    return {
      status: 409,
      code: "conflict_error",
      message: "Conflict occurred while saving. Please try again.",
    };
  }
  if (isNotImplemented(error)) return { status: 501, code: "invalid_request", message: error.message };
  return { status: 500, code: "internal_server_error", message: "Unexpected error occurred." };
}

function domainAnswer(error: DomainError): { status: number; code: string } {
  switch (error.kind) {
    case "validation":
      return { status: 400, code: "validation_error" };
    case "not_found":
      return { status: 404, code: "object_not_found" };
    case "conflict":
      return { status: 409, code: "conflict_error" };
  }
}

/** What a generated stub throws until somebody fills it in. */
function isNotImplemented(error: unknown): error is Error {
  return error instanceof Error && "status" in error && error.status === 501;
}
