import type { ServerResponse } from "node:http";
import type { Exchange, HttpOperation, Reply } from "./types.js";

/**
 * Sends a reply: everything is encoded before the first byte goes out, so a value that cannot be encoded
 * never leaves half a response behind.
 *
 * @param operation names the media type of the body where the reply does not; JSON without one
 * @throws when a body or a header cannot be encoded
 */
export function sendReply(exchange: Exchange, reply: Reply, operation?: HttpOperation): void {
  const { response } = exchange;
  // The client may be gone: there is nobody to tell.
  if (response.headersSent || response.destroyed) return;
  // Left behind by an attempt that failed; node would use it again.
  response.statusMessage = "";
  const headers: Record<string, string | number | string[]> = { ...exchange.headers };
  if (reply.headers) putHeaders(headers, reply.headers);
  const bodiless = reply.status === 204 || reply.status === 304;
  if (reply.body === undefined || bodiless) {
    if (!bodiless) headers["Content-Length"] = 0;
    endTogether(response.writeHead(reply.status, headers));
    return;
  }
  const contentType = reply.contentType ?? declaredType(operation, reply.status);
  const body = encodeBody(reply.body, contentType);
  headers["Content-Type"] =
    contentType === "application/json" ? "application/json; charset=utf-8" : contentType;
  headers["Content-Length"] = Buffer.byteLength(body);
  endTogether(response.writeHead(reply.status, headers), body);
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
function putHeaders(target: Record<string, string | number | string[]>, source: object): void {
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined || value === null) continue;
    const lower = name.toLowerCase();
    const known = Object.keys(target).find((other) => other.toLowerCase() === lower);
    if (known !== undefined) delete target[known];
    // A cookie may hold commas: each has a line of its own.
    target[name] = lower === "set-cookie" && Array.isArray(value) ? value.map(String) : headerText(value);
  }
}

function declaredType(operation: HttpOperation | undefined, status: number): string {
  const responses = operation?.responses;
  const declared = responses?.[status] ?? responses?.[`${String(status)[0]}XX`] ?? responses?.default;
  return declared?.[0] ?? "application/json";
}

function encodeBody(body: unknown, contentType: string): string | Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string" && !/^application\/json|\+json/i.test(contentType)) return body;
  if (typeof body !== "object" || body === null || !Object.isFrozen(body)) return JSON.stringify(body);
  const known = written.get(body);
  if (known !== undefined) return known;
  const text = JSON.stringify(body);
  written.set(body, text);
  return text;
}

/** The JSON of frozen bodies, so that a handler that gives the same one again has it written once. */
const written = new WeakMap<object, string>();

function headerText(value: unknown): string | number {
  if (typeof value === "number") return value;
  if (Array.isArray(value)) return value.map(String).join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
