import type { ServerResponse } from "node:http";
import type { Exchange, StreamFormat } from "./types.js";

type Headers = Record<string, string | number | string[]>;
type Source = AsyncIterable<unknown> | Blob;
type Encode = (item: unknown) => string | Uint8Array;

/** How often an event stream without events shows that it is alive: proxies close what is silent for long. */
const HEARTBEAT_MS = 15_000;

/** Whether a body is sent piece by piece: a Blob, or what is iterated asynchronously, as streams are. */
export function isStream(body: unknown): body is Source {
  return body instanceof Blob || (typeof body === "object" && body !== null && Symbol.asyncIterator in body);
}

/**
 * Sends a body piece by piece, as fast as the client takes it. The source is closed when all is sent, when the client
 * leaves and when something fails.
 *
 * @throws what the source throws; when that is after the first byte, the connection is closed
 */
export async function sendStream(
  { request, response }: Exchange,
  status: number,
  headers: Headers,
  body: Source,
  format: StreamFormat | undefined,
): Promise<void> {
  const events = format === "json" || format === "text";
  if (events) putEventHeaders(headers);
  if (body instanceof Blob) headers["Content-Length"] ??= body.size;
  const source = body instanceof Blob ? body.stream() : body;
  const items = source[Symbol.asyncIterator]();
  if (request.method === "HEAD" || status === 204 || status === 304) {
    response.writeHead(status, headers).end();
    close(source, items);
    return;
  }
  const sink = new Sink(response, lengthOf(headers));
  const heartbeat = events ? setInterval(() => sink.keepAlive(), HEARTBEAT_MS) : undefined;
  response.once("close", () => close(source, items));
  const encode = encoderFor(format);
  try {
    // A client that waits for events is told at once that they will come; of anything else the first piece may fail.
    if (events) response.writeHead(status, headers).flushHeaders();
    for (let item = await sink.unlessClosed(items.next()); item && !item.done;) {
      const piece = encode(item.value);
      if (!response.headersSent) response.writeHead(status, headers);
      await sink.write(piece);
      item = await sink.unlessClosed(items.next());
    }
    if (!response.headersSent && !response.destroyed) response.writeHead(status, headers);
    sink.end();
  } catch (error) {
    if (response.headersSent) response.destroy();
    throw error;
  } finally {
    clearInterval(heartbeat);
    close(source, items);
  }
}

/** Where the pieces go. */
class Sink {
  readonly #response: ServerResponse;
  readonly #length: number | undefined;
  #written = 0;
  #wake = (): void => {};

  constructor(response: ServerResponse, length: number | undefined) {
    this.#response = response;
    this.#length = length;
    const wake = (): void => this.#wake();
    response.on("drain", wake).once("close", wake);
  }

  /** What is to come; undefined when the client leaves before. */
  unlessClosed<T>(coming: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.#wake = () => {
        if (this.#response.destroyed) resolve(undefined);
      };
      this.#wake();
      coming.then(resolve, reject);
    });
  }

  async write(piece: string | Uint8Array): Promise<void> {
    if (this.#response.destroyed) return;
    this.#written += Buffer.byteLength(piece);
    if (this.#length !== undefined && this.#written > this.#length) throw this.#wrongLength();
    if (this.#response.write(piece)) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  keepAlive(): void {
    if (!this.#response.writableNeedDrain) this.#response.write(":\n\n");
  }

  end(): void {
    if (this.#response.destroyed) return;
    if (this.#length !== undefined && this.#written < this.#length) throw this.#wrongLength();
    this.#response.end();
  }

  #wrongLength(): Error {
    return new Error(`The body is not of the length that Content-Length says, ${this.#length} bytes.`);
  }
}

/** Closes a source that may not have been read to its end; it is told at once and may take its time. */
function close(source: AsyncIterable<unknown>, items: AsyncIterator<unknown>): void {
  // A stream that nobody has begun to read is not closed by its iterator.
  if ("destroy" in source && typeof source.destroy === "function") source.destroy();
  else items.return?.().catch(() => {});
}

function encoderFor(format: StreamFormat | undefined): Encode {
  if (format === "lines") return (item) => `${JSON.stringify(item)}\n`;
  if (format !== undefined) return (item) => encodeEvent(item, format);
  return (item) => {
    if (item instanceof Uint8Array || typeof item === "string") return item;
    throw new TypeError(
      `A body of bytes cannot hold ${item === null ? "null" : `a value of type ${typeof item}`}.`,
    );
  };
}

/** An event as the HTML standard writes it. Line ends in its text are all read as line feeds. */
function encodeEvent(item: unknown, format: "json" | "text"): string {
  const { data, event, id, retry } = Object(item) as Record<string, unknown>; // any object has members
  const text = format === "json" ? JSON.stringify(data) : String(data ?? "");
  const lines = [
    ...(event === undefined ? [] : [`event: ${singleLine("event", event)}`]),
    ...(id === undefined ? [] : [`id: ${singleLine("id", id)}`]),
    ...(retry === undefined ? [] : [`retry: ${whole(retry)}`]),
    ...(text ?? "").split(/\r\n|[\r\n]/).map((line) => `data: ${line}`),
  ];
  return `${lines.join("\n")}\n\n`;
}

function singleLine(name: string, value: unknown): string {
  const text = String(value);
  if (!/[\r\n\0]/.test(text)) return text;
  throw new TypeError(`The ${name} of an event must be one line: ${JSON.stringify(text)}`);
}

function whole(value: unknown): number {
  if (Number.isInteger(value) && Number(value) >= 0) return Number(value);
  throw new TypeError(`The retry of an event must be a number of milliseconds, not ${JSON.stringify(value)}`);
}

/** No cache may keep events, and no proxy collect them; unless the reply says otherwise. */
function putEventHeaders(headers: Headers): void {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  if (!names.has("cache-control")) headers["Cache-Control"] = "no-cache";
  if (!names.has("x-accel-buffering")) headers["X-Accel-Buffering"] = "no";
}

function lengthOf(headers: Headers): number | undefined {
  const name = Object.keys(headers).find((each) => each.toLowerCase() === "content-length");
  return name === undefined ? undefined : Number(headers[name]);
}
