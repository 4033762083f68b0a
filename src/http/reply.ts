import type { ServerResponse } from "node:http";
import { encodeJson } from "./body-json.js";
import { isStream, sendStream } from "./reply-stream.js";
import type { Exchange, HeaderStyle, HttpOperation, Reply } from "./types.js";

/**
 * Sends a reply: everything is encoded before the first byte goes out, so a value that cannot be encoded
 * never leaves half a response behind. A body that is a stream is sent as it comes: what goes wrong before its first
 * byte is thrown like anything else, and after it the connection is closed besides.
 *
 * @param operation names the media type of the body where the reply does not; JSON without one
 * @returns undefined once all is handed over, or for a stream what comes true with its end
 * @throws when a body or a header cannot be encoded
 */
export function sendReply(
  exchange: Exchange,
  reply: Reply,
  operation?: HttpOperation,
): Promise<void> | undefined {
  const { response } = exchange;
  // The client may be gone: there is nobody to tell.
  if (response.headersSent || response.destroyed) return undefined;
  // Left behind by an attempt that failed; node would use it again.
  response.statusMessage = "";
  // Assigned, as V8 makes a dictionary of what is spread and then grows: that took as long as writing the headers.
  const headers: Record<string, string | number | string[]> = Object.assign({}, exchange.headers);
  if (reply.headers) putHeaders(headers, reply.headers, ofStatus(operation?.headers, reply.status));
  const bodiless = reply.status === 204 || reply.status === 304;
  if (reply.body === undefined || bodiless) {
    if (!bodiless) headers["Content-Length"] = 0;
    endTogether(response.writeHead(reply.status, headers));
    return undefined;
  }
  const contentType = reply.contentType ?? declaredType(operation, reply.status, reply.body);
  if (contentType !== "application/json" && isStream(reply.body)) {
    headers["Content-Type"] = contentType;
    const format = ofStatus(operation?.streams, reply.status)?.[contentType];
    return sendStream(exchange, reply.status, headers, reply.body, format);
  }
  const body = encodeBody(reply.body, contentType);
  headers["Content-Type"] =
    contentType === "application/json" ? "application/json; charset=utf-8" : contentType;
  headers["Content-Length"] = Buffer.byteLength(body);
  endTogether(response.writeHead(reply.status, headers), body);
  return undefined;
}

let ending: [ServerResponse, string | Uint8Array | undefined][] = [];

/**
 * Ends the answers that one turn of the event loop brought forth one right after the other, at the end of that turn.
 * Each write wakes its reader, and waking one that has just fallen asleep again costs more than the write.
 */
function endTogether(response: ServerResponse, body?: string | Uint8Array): void {
  if (ending.length === 0) setImmediate(endAll);
  ending.push([response, body]);
}

function endAll(): void {
  const now = ending;
  ending = [];
  for (const [response, body] of now) if (body !== undefined) response.write(body);
  // By then the answers have gone out: ended together with its body, each would be written in two pieces.
  process.nextTick(() => {
    for (const [response] of now) response.end();
  });
}

/** A name in other letter case is the same header: it must not go out twice. */
function putHeaders(
  target: Record<string, string | number | string[]>,
  source: object,
  styles: Readonly<Record<string, HeaderStyle>> | undefined,
): void {
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined || value === null) continue;
    const lower = name.toLowerCase();
    const known = Object.keys(target).find(
      (other) => other.length === name.length && other.toLowerCase() === lower,
    );
    if (known !== undefined) delete target[known];
    // A cookie may hold commas: each has a line of its own.
    target[name] =
      lower === "set-cookie" && Array.isArray(value)
        ? value.map(String)
        : headerText(name, value, styles?.[name]);
  }
}

/** What a table says of a status: by itself, by its range, or by `default`. */
function ofStatus<T>(table: Readonly<Record<string, T>> | undefined, status: number): T | undefined {
  return table?.[status] ?? table?.[`${String(status)[0]}XX`] ?? table?.default;
}

function declaredType(operation: HttpOperation | undefined, status: number, body: unknown): string {
  const type = ofStatus(operation?.responses, status)?.[0] ?? "application/json";
  if (!type.endsWith("/*")) return type;
  // A range is no type to send.
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
  if (Array.isArray(value)) return value.map((item) => separated(name, item)).join(",");
  if (style === undefined) return JSON.stringify(value);
  const members = Object.entries(value ?? {}).filter(([, member]) => member !== undefined && member !== null);
  const sign = style === "simple*" ? "=" : ",";
  return members.map((pair) => pair.map((part) => separated(name, part)).join(sign)).join(",");
}

/** Text that stands between commas. Headers have no escapes: with a comma in it, it would be read as two. */
function separated(name: string, value: unknown): string {
  const text = String(value);
  if (!text.includes(",")) return text;
  throw new TypeError(
    `The header ${name} is a list, so that no item can hold a comma: ${JSON.stringify(text)}`,
  );
}
