import { endInBatch } from "./end-in-batch.js";
import { findMediaType, isJson, isRange } from "../media-types.js";
import { encodeJson } from "./encode-json.js";
import { type BodyPart, encodeText } from "./encoded-json.js";
import { setHeaders, type ResponseHeaders, writeHead } from "./response-headers.js";
import { closeBody, isStream, sendStream } from "./response-stream.js";
import type { RequestContext, HttpOperation, HttpResponse } from "../types.js";

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
  if (response.headersSent || response.destroyed) {
    closeBody(result.body);
    return undefined;
  }
  // An attempt to send another response, which failed, may have set it.
  response.statusMessage = "";
  // Not spread: V8 turns a spread object into a slow dictionary when headers are added, which took as long as writing them.
  const headers: ResponseHeaders = Object.assign({}, requestContext.headers);
  const { status } = result;
  // Node would send an informational status and nothing after it, while the client waits for the response.
  if (status < 200) throw new RangeError(`${status} is not the status of a response.`);
  const key = (operation && findStatusKey(operation.responseMediaTypes, status)) ?? "";
  if (result.headers) setHeaders(headers, result.headers, operation?.responseHeaderStyles?.[key]);
  const hasNoLength = status === 204 || status === 304;
  // RFC 9110, section 15.3.6: 205 has no content.
  if (result.body === undefined || hasNoLength || status === 205) {
    closeBody(result.body);
    if (!hasNoLength && requestContext.request.method !== "HEAD") headers["Content-Length"] = 0;
    endInBatch(writeHead(response, status, headers));
    return undefined;
  }
  const contentType =
    result.contentType ?? chooseContentType(operation?.responseMediaTypes[key], result.body);
  if (contentType !== "application/json" && isStream(result.body)) {
    headers["Content-Type"] = contentType;
    const formats = operation?.responseStreamFormats?.[key] ?? {};
    const format = formats[findMediaType(contentType, Object.keys(formats)) ?? ""];
    return sendStream(requestContext, status, headers, result.body, format);
  }
  const parts = encodeBody(result.body, contentType);
  headers["Content-Type"] = addCharset(contentType, result.body);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  headers["Content-Length"] = length;
  writeHead(response, status, headers);
  // Node throws for the body of a response to HEAD if the server has the option `rejectNonStandardBodyWrites`.
  if (requestContext.request.method === "HEAD") endInBatch(response);
  else endInBatch(response, parts, length);
  return undefined;
}

/** Chooses one of the declared media types for a body, JSON by default. A range such as `image/*` cannot be sent. */
export function chooseContentType(declared: readonly string[] | undefined, body: unknown): string {
  const type = declared?.[0] ?? "application/json";
  if (!isRange(type)) return type;
  return body instanceof Uint8Array || isStream(body) ? "application/octet-stream" : "application/json";
}

/** Adds the charset of JSON and of text, which browsers do not read as UTF-8 otherwise. */
function addCharset(contentType: string, body: unknown): string {
  const isUtf8 =
    contentType === "application/json" ||
    (typeof body === "string" && /^text\/(?!.*;\s*charset=)/i.test(contentType));
  return isUtf8 ? `${contentType}; charset=utf-8` : contentType;
}

function encodeBody(body: unknown, contentType: string): readonly BodyPart[] {
  if (body instanceof Uint8Array) return [body];
  if (typeof body === "string" && !isJson(contentType)) return [encodeText(body)];
  return encodeJson(body);
}

/** Finds the key for a status in a table by status, range (`4XX`) or `default`, in this order of precedence. */
export function findStatusKey(table: object, status: number): string | undefined {
  const digit = String(status)[0];
  // Some documents have ranges in lower case.
  const keys = [String(status), `${digit}XX`, `${digit}xx`, "default"];
  return keys.find((key) => Object.hasOwn(table, key));
}
