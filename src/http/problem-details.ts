import { STATUS_CODES } from "node:http";
import type { HttpResponse } from "./types.js";

/**
 * Creates the response to an error as problem details (RFC 9457). An error with a `status` from 400 to 599, such as an
 * InvalidRequestError or an error of the package http-errors, keeps it; any other becomes a 500.
 */
export function problemResponse(error: unknown): HttpResponse {
  const status = chooseStatus(error);
  // Hides the details of 5xx errors, except 501.
  const detail = error instanceof Error && (status < 500 || status === 501) ? error.message : "";
  return {
    status,
    contentType: "application/problem+json",
    body: { title: STATUS_CODES[status] ?? "Error", status, ...(detail ? { detail } : {}) },
  };
}

/** Responds to an error with problem details, and prints an unexpected error, which would otherwise be invisible. */
export function respondToError(error: unknown): HttpResponse {
  const result = problemResponse(error);
  if (result.status === 500) console.error(error);
  return result;
}

function chooseStatus(error: unknown): number {
  if (!(error instanceof Error) || !("status" in error)) return 500;
  const { status } = error;
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status <= 599
    ? status
    : 500;
}
