import type { ServerResponse } from "node:http";
import { isJson, isRange } from "./media-types.js";
import { encodeJson, LARGE_BODY_BYTES } from "./encode-json.js";
import { toByteString } from "./encoded-json.js";
import { putHeaders, type ResponseHeaders } from "./response-headers.js";
import { isStream, sendStream } from "./response-stream.js";
import { findStatusKey } from "./status-key.js";
import type { RequestContext, HttpOperation, HttpResponse } from "./types.js";

/**
 * Sends a response. Headers and body are encoded before the first byte is sent, so that an encoding error can still
 * become an error response. A stream is sent as it is read; an error after its first byte also closes the connection.
 *
 * @param operation declares the media type of a body whose result names none; JSON when omitted
 * @returns a promise of the end of a stream; undefined for any other body
 * @throws when a body or a header cannot be encoded
 */
export function sendResponse(
  requestContext: RequestContext,
  result: HttpResponse,
  operation?: HttpOperation,
): Promise<void> | undefined {
  const { response } = requestContext;
  // The client can have disconnected.
  if (response.headersSent || response.destroyed) return undefined;
  // Node would reuse the message of an attempt that failed.
  response.statusMessage = "";
  // Not spread: V8 makes a dictionary of a spread object that grows, which took as long as writing the headers.
  const headers: ResponseHeaders = Object.assign({}, requestContext.headers);
  if (result.headers) putHeaders(headers, result.headers, findByStatus(operation?.headers, result.status));
  const bodiless = result.status === 204 || result.status === 304;
  if (result.body === undefined || bodiless) {
    if (!bodiless) headers["Content-Length"] = 0;
    endTogether(response.writeHead(result.status, headers));
    return undefined;
  }
  const contentType = result.contentType ?? chooseContentType(operation, result.status, result.body);
  if (contentType !== "application/json" && isStream(result.body)) {
    headers["Content-Type"] = contentType;
    const format = findByStatus(operation?.streams, result.status)?.[contentType];
    return sendStream(requestContext, result.status, headers, result.body, format);
  }
  const body = encodeBody(result.body, contentType);
  headers["Content-Type"] =
    contentType === "application/json" ? "application/json; charset=utf-8" : contentType;
  headers["Content-Length"] = body.length;
  endTogether(response.writeHead(result.status, headers), body);
  return undefined;
}

/** Responses to end at the end of this turn of the event loop. */
let pending: [response: ServerResponse, body: string | Uint8Array | undefined][] = [];

/**
 * Ends the small responses of one turn of the event loop together, at its end. Each write wakes the process that reads
 * it, and waking a process that has just gone to sleep costs more than the write: without this, a cached GET beside a client on
 * the same machine took 1.4 times the processor time. A large body is sent at once, so that `writableLength` tells how much of it is
 * unread.
 *
 * @param body a string has one character per byte
 */
function endTogether(response: ServerResponse, body?: string | Uint8Array): void {
  if (body !== undefined && body.length >= LARGE_BODY_BYTES) {
    response.end(body, "latin1");
    return;
  }
  if (pending.length === 0) setImmediate(endPending);
  pending.push([response, body]);
}

function endPending(): void {
  const responses = pending;
  pending = [];
  for (const [response, body] of responses) if (body !== undefined) response.write(body, "latin1");
  // Later than the bodies: ending a response together with its body writes it in two pieces.
  process.nextTick(() => {
    for (const [response] of responses) response.end();
  });
}

/** Returns the entry of a table for a status, its range or `default`. */
function findByStatus<T>(table: Readonly<Record<string, T>> = {}, status: number): T | undefined {
  return table[findStatusKey(table, status) ?? ""];
}

/** Returns the media type that the operation declares for a body. A range such as `image/*` cannot be sent. */
function chooseContentType(operation: HttpOperation | undefined, status: number, body: unknown): string {
  const type = findByStatus(operation?.responses, status)?.[0] ?? "application/json";
  if (!isRange(type)) return type;
  return body instanceof Uint8Array || isStream(body) ? "application/octet-stream" : "application/json";
}

/** Encodes a body as bytes, or as a string of bytes, see toByteString. */
function encodeBody(body: unknown, contentType: string): string | Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string" && !isJson(contentType)) return toByteString(body);
  return encodeJson(body);
}
