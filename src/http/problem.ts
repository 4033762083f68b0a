import { STATUS_CODES } from "node:http";
import type { Reply } from "./types.js";

/**
 * The answer to an error as a problem of RFC 9457: a status with its title, and a detail where it is meant for the
 * client. An error with a `status` from 400 to 599 (a RequestRefused, or one of the package http-errors) keeps it; any
 * other is a 500 that tells nothing of itself.
 */
export function problemReply(error: unknown): Reply {
  const status = statusOf(error);
  // What a server has to say of its own faults is not for its clients; that something is not there yet is.
  const detail = error instanceof Error && (status < 500 || status === 501) ? error.message : "";
  return {
    status,
    contentType: "application/problem+json",
    body: { title: STATUS_CODES[status] ?? "Error", status, ...(detail ? { detail } : {}) },
  };
}

/** What `createBinder` answers with when it is not told otherwise; nobody would learn of an unexpected error. */
export function reportedProblem(error: unknown): Reply {
  const reply = problemReply(error);
  if (reply.status === 500) console.error(error);
  return reply;
}

function statusOf(error: unknown): number {
  if (!(error instanceof Error) || !("status" in error)) return 500;
  const { status } = error;
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status <= 599
    ? status
    : 500;
}
