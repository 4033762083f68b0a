import type { ServerResponse } from "node:http";
import { encodeLine } from "../json-lines.js";
import { findHeaderName, type ResponseHeaders, writeHead } from "./response-headers.js";
import type { RequestContext, StreamFormat } from "../types.js";

type Source = AsyncIterable<unknown> | Blob;
type Encode = (item: unknown) => string | Uint8Array;

/** Interval of comments in an event stream without events, because proxies close idle connections. */
const HEARTBEAT_INTERVAL_MS = 15_000;

/** Whether a body is streamed: a Blob or an async iterable, such as a stream. */
export function isStream(body: unknown): body is Source {
  return body instanceof Blob || (typeof body === "object" && body !== null && Symbol.asyncIterator in body);
}

/** Closes a body that is not sent, so that it keeps no file or connection open. A locked stream belongs to its reader. */
export function closeBody(body: unknown): void {
  if (!isStream(body) || body instanceof Blob || (body instanceof ReadableStream && body.locked)) return;
  closeSource(body, iterate(body));
}

/**
 * Streams a body as fast as the client reads it. Closes the source at its end, after an error, and when the client
 * disconnects.
 *
 * @throws the errors of the source; after the first byte, the connection is closed, too
 */
export async function sendStream(
  { request, response }: RequestContext,
  status: number,
  headers: ResponseHeaders,
  body: Source,
  format: StreamFormat | undefined,
): Promise<void> {
  const isEventStream = format === "json-events" || format === "text-events";
  if (isEventStream) addEventHeaders(headers);
  if (body instanceof Blob) headers["Content-Length"] ??= body.size;
  const source = body instanceof Blob ? body.stream() : body;
  const items = iterate(source);
  if (request.method === "HEAD") {
    writeHead(response, status, headers).end();
    closeSource(source, items);
    return;
  }
  // Then `write` and `end` throw if the body has another length than the headers declare.
  response.strictContentLength = true;
  const writer = new ResponseWriter(response);
  const heartbeat = isEventStream ? setInterval(() => writer.keepAlive(), HEARTBEAT_INTERVAL_MS) : undefined;
  response.once("close", () => closeSource(source, items));
  const encode = createEncoder(format);
  try {
    // Clients wait for the headers of an event stream. Any other headers wait for the first chunk, which can fail.
    if (isEventStream) writeHead(response, status, headers).flushHeaders();
    for (let item = await writer.unlessClosed(items.next()); item && !item.done;) {
      const chunk = encode(item.value);
      if (!response.headersSent) writeHead(response, status, headers);
      await writer.write(chunk);
      item = await writer.unlessClosed(items.next());
    }
    if (response.destroyed) return;
    if (!response.headersSent) writeHead(response, status, headers);
    response.end();
  } catch (error) {
    if (response.headersSent) response.destroy();
    throw error;
  } finally {
    clearInterval(heartbeat);
    closeSource(source, items);
  }
}

/** Writes chunks to a response with backpressure. */
class ResponseWriter {
  /** Resumes the method that waits for the client. Called when the client has read all chunks, or disconnects. */
  private wake = (): void => {};

  constructor(private readonly response: ServerResponse) {
    const wake = (): void => this.wake();
    response.on("drain", wake).once("close", wake);
  }

  /** Resolves to the value of a promise, or to undefined if the client disconnects first. */
  unlessClosed<T>(pending: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.wake = () => {
        if (this.response.destroyed) resolve(undefined);
      };
      this.wake();
      pending.then(resolve, reject);
    });
  }

  /** Resolves when the client has read enough for the next chunk. */
  async write(chunk: string | Uint8Array): Promise<void> {
    if (this.response.destroyed || this.response.write(chunk)) return;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
    });
  }

  /** Sends a comment, unless the client still has to read earlier chunks. */
  keepAlive(): void {
    if (!this.response.writableNeedDrain) this.response.write(":\n\n");
  }
}

/** Iterates over a source. The iterator of a ReadableStream cannot close it while it reads, but its reader can. */
function iterate(source: AsyncIterable<unknown>): AsyncIterator<unknown> {
  if (!(source instanceof ReadableStream)) return source[Symbol.asyncIterator]();
  const reader = source.getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return { done, value };
    },
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

/** Closes a source without waiting for it, even if it was not read to its end. */
function closeSource(source: AsyncIterable<unknown>, items: AsyncIterator<unknown>): void {
  // The iterator does not close a stream that was never read.
  if ("destroy" in source && typeof source.destroy === "function") {
    // A stream that was never read has no listener for errors, and an error without one ends the process.
    if ("on" in source && typeof source.on === "function") source.on("error", () => {});
    source.destroy();
  } else items.return?.().catch(() => {});
}

/** Creates the encoder of the items of a stream. Without a format the items are bytes or text, which are sent unchanged. */
function createEncoder(format: StreamFormat | undefined): Encode {
  if (format === "lines" || format === "sequence") return (item) => encodeLine(item, format);
  if (format !== undefined) return (item) => encodeEvent(item, format);
  return (item) => {
    if (item instanceof Uint8Array || typeof item === "string") return item;
    throw new TypeError(
      `A binary body cannot contain ${item === null ? "null" : `a value of type ${typeof item}`}.`,
    );
  };
}

/** Encodes an event in the format of the HTML standard (Server-sent events), which reads every line end as a line feed. */
function encodeEvent(item: unknown, format: "json-events" | "text-events"): string {
  const { data, event, id, retry }: Record<string, unknown> = Object(item);
  const text = format === "json-events" ? JSON.stringify(data) : String(data ?? "");
  const lines = [
    ...(event === undefined ? [] : [`event: ${requireSingleLine("event", event)}`]),
    ...(id === undefined ? [] : [`id: ${requireSingleLine("id", id)}`]),
    ...(retry === undefined ? [] : [`retry: ${parseRetry(retry)}`]),
    ...(text ?? "").split(/\r\n|[\r\n]/).map((line) => `data: ${line}`),
  ];
  return `${lines.join("\n")}\n\n`;
}

function requireSingleLine(name: string, value: unknown): string {
  const text = String(value);
  if (!/[\r\n\0]/.test(text)) return text;
  throw new TypeError(`The ${name} of an event must be one line: ${JSON.stringify(text)}`);
}

function parseRetry(value: unknown): number {
  if (Number.isInteger(value) && Number(value) >= 0) return Number(value);
  throw new TypeError(`The retry of an event must be a number of milliseconds, not ${JSON.stringify(value)}`);
}

/** Adds headers that keep caches from storing events and proxies from buffering them, unless the result has its own. */
function addEventHeaders(headers: ResponseHeaders): void {
  const defaults = { "Cache-Control": "no-cache", "X-Accel-Buffering": "no" };
  for (const [name, value] of Object.entries(defaults))
    if (findHeaderName(headers, name) === undefined) headers[name] = value;
}
