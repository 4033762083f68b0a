import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { IsFromTrustedProxy } from "../access/client-address.js";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** W3C Trace Context, section 3.2. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns the id of a request: a UUID that a trusted proxy sent, or a new one. No other text gets into logs. */
export function assignRequestId(request: IncomingMessage, isFromTrustedProxy: IsFromTrustedProxy): string {
  const receivedId = request.headers["x-request-id"];
  const isValid = typeof receivedId === "string" && UUID.test(receivedId) && isFromTrustedProxy(request);
  return isValid ? receivedId : randomUUID();
}

/** Returns the trace id of a request's `traceparent` header, if a trusted proxy sent it. */
export function readTraceId(
  request: IncomingMessage,
  isFromTrustedProxy: IsFromTrustedProxy,
): string | undefined {
  const { traceparent } = request.headers;
  if (typeof traceparent !== "string" || !isFromTrustedProxy(request)) return undefined;
  return TRACEPARENT.exec(traceparent)?.[1];
}

/** Returns the path of a request without its query string, which can contain secrets, for logs and spans. */
export function readRequestPath({ url = "" }: IncomingMessage): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}
