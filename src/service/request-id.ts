import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { IsFromTrustedProxy } from "../access/client-address.js";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the id of a request: the UUID that a trusted proxy sent, or a new one. Logs contain the id, so it is never another text. */
export function assignRequestId(request: IncomingMessage, isFromTrustedProxy: IsFromTrustedProxy): string {
  const receivedId = request.headers["x-request-id"];
  const isValid = typeof receivedId === "string" && UUID.test(receivedId) && isFromTrustedProxy(request);
  return isValid ? receivedId : randomUUID();
}
