import type { ServerResponse } from "node:http";
import { isRange } from "./media-types.js";
import { encodeJson } from "./body-json.js";
import { isStream, sendStream } from "./response-stream.js";
import type { RequestContext, HeaderStyle, HttpOperation, HttpResponse } from "./types.js";

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
  const headers: Record<string, string | number | string[]> = Object.assign({}, requestContext.headers);
  if (result.headers) putHeaders(headers, result.headers, findByStatus(operation?.headers, result.status));
  const bodiless = result.status === 204 || result.status === 304;
  if (result.body === undefined || bodiless) {
    if (!bodiless) headers["Content-Length"] = 0;
    endWithOthers(response.writeHead(result.status, headers));
    return undefined;
  }
  const contentType = result.contentType ?? declaredType(operation, result.status, result.body);
  if (contentType !== "application/json" && isStream(result.body)) {
    headers["Content-Type"] = contentType;
    const format = findByStatus(operation?.streams, result.status)?.[contentType];
    return sendStream(requestContext, result.status, headers, result.body, format);
  }
  const body = encodeBody(result.body, contentType);
  headers["Content-Type"] =
    contentType === "application/json" ? "application/json; charset=utf-8" : contentType;
  headers["Content-Length"] = Buffer.byteLength(body);
  endWithOthers(response.writeHead(result.status, headers), body);
  return undefined;
}

/** Size of a body that is sent at once, so that `writableLength` tells how much of it is unread. */
const LARGE_BODY_BYTES = 64 * 1024;

let ending: [ServerResponse, string | Uint8Array | undefined][] = [];

/**
 * Ends the small responses of one turn of the event loop together, at its end. Each write wakes the process that reads
 * it, and waking a process that has just gone to sleep costs more than the write.
 */
function endWithOthers(response: ServerResponse, body?: string | Uint8Array): void {
  if (body !== undefined && body.length >= LARGE_BODY_BYTES) {
    response.end(body);
    return;
  }
  if (ending.length === 0) setImmediate(endAll);
  ending.push([response, body]);
}

function endAll(): void {
  const now = ending;
  ending = [];
  for (const [response, body] of now) if (body !== undefined) response.write(body);
  // Later than the bodies: ending a response together with its body writes it in two pieces.
  process.nextTick(() => {
    for (const [response] of now) response.end();
  });
}

/** Adds headers. A name replaces the same name in another letter case, so that no header is sent twice. */
function putHeaders(
  target: Record<string, string | number | string[]>,
  source: object,
  styles: Readonly<Record<string, HeaderStyle>> | undefined,
): void {
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined || value === null) continue;
    const lower = name.toLowerCase();
    const existing = Object.keys(target).find(
      (other) => other.length === name.length && other.toLowerCase() === lower,
    );
    if (existing !== undefined) delete target[existing];
    // Cookies can contain commas, so each has its own line (RFC 9110, section 5.3).
    target[name] =
      lower === "set-cookie" && Array.isArray(value)
        ? value.map(String)
        : headerText(name, value, styles?.[name]);
  }
}

/** Looks a status up in a table: by itself, by its range such as `4XX`, or as `default`. */
function findByStatus<T>(table: Readonly<Record<string, T>> | undefined, status: number): T | undefined {
  return table?.[status] ?? table?.[`${String(status)[0]}XX`] ?? table?.default;
}

function declaredType(operation: HttpOperation | undefined, status: number, body: unknown): string {
  const type = findByStatus(operation?.responses, status)?.[0] ?? "application/json";
  if (!isRange(type)) return type;
  // A range such as image/* cannot be sent.
  return body instanceof Uint8Array || isStream(body) ? "application/octet-stream" : "application/json";
}

function encodeBody(body: unknown, contentType: string): string | Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string" && !/^application\/json|\+json/i.test(contentType)) return body;
  return encodeJson(body);
}

function headerText(name: string, value: unknown, style: HeaderStyle | undefined): string | number {
  if (typeof value === "number") return value;
  if (typeof value !== "object" || style === "json")
    return style === "json" ? JSON.stringify(value) : String(value);
  if (Array.isArray(value)) return value.map((item) => listItemText(name, item)).join(",");
  if (style === undefined) return JSON.stringify(value);
  const members = Object.entries(value ?? {}).filter(([, member]) => member !== undefined && member !== null);
  const sign = style === "simple*" ? "=" : ",";
  return members.map((pair) => pair.map((part) => listItemText(name, part)).join(sign)).join(",");
}

/** Returns the text of a list item. Headers have no escape for a comma in it. */
function listItemText(name: string, value: unknown): string {
  const text = String(value);
  if (!text.includes(",")) return text;
  throw new TypeError(
    `The header ${name} is a list, so its items cannot contain commas: ${JSON.stringify(text)}`,
  );
}
