import type { CreateError } from "./errors.js";
import { encodeLine, type LineFormat, mayBeTruncated, RECORD_SEPARATOR } from "../http/json-lines.js";
import { writeRaw } from "./write-body.js";
import { parseJson } from "./read-body.js";
import type { CallOptions, ReadBody, WriteBody } from "./operation.js";

/**
 * Creates the writer of JSON lines or of a JSON sequence. The values of an async iterable are sent while it is read, and
 * those of any other iterable at once.
 */
export function writeLines(mediaType: string, format: LineFormat): WriteBody {
  const encode = (value: unknown): string => encodeLine(value, format);
  return (body) => {
    // Safe cast: the type of the request allows iterables only.
    const values = body as Iterable<unknown> | AsyncIterable<unknown>;
    const isAsync = Symbol.asyncIterator in values;
    const content = isAsync ? streamText(values, encode) : Array.from(values, encode).join("");
    return writeRaw(content, mediaType);
  };
}

/** Creates a stream of the texts of values. Reads no more values than are sent, and closes the iterable when it is cancelled. */
function streamText(
  values: AsyncIterable<unknown>,
  encode: (value: unknown) => string,
): ReadableStream<Uint8Array> {
  const iterator = values[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(encode(value)));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** Reads JSON lines or a JSON sequence (RFC 7464) as they arrive. */
export const readLines: ReadBody = async (response, options, createError) => ({
  body: parseLines(response, options, createError),
});

async function* parseLines(
  response: Response,
  options: CallOptions,
  createError: CreateError,
): AsyncGenerator<unknown> {
  const isSequence = /json-seq/i.test(response.headers.get("Content-Type") ?? "");
  // A value of a sequence can contain line feeds, because a record separator begins each value.
  for await (const line of splitLines(response, isSequence ? RECORD_SEPARATOR : "\n", options)) {
    if (line.trim() !== "" && !(isSequence && mayBeTruncated(line))) yield parseJson(line, createError);
  }
}

/** Splits a text into lines as it arrives. The last line needs no line end. An aborted call ends it without an error. */
export async function* splitLines(
  response: Response,
  lineEnd: RegExp | string,
  { signal }: CallOptions,
): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let line = "";
  // The line ends of JSON lines have no carriage return, which is a space in JSON.
  const hasCarriageReturns = lineEnd instanceof RegExp;
  let isAfterCarriageReturn = false;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      const text = decoder.decode(value, { stream: !done });
      // A carriage return ends a line at once. A line feed that arrives after it belongs to the same line end.
      const start = isAfterCarriageReturn && text.startsWith("\n") ? 1 : 0;
      if (text !== "") isAfterCarriageReturn = hasCarriageReturns && text.endsWith("\r");
      const [first = "", ...others] = text.slice(start).split(lineEnd);
      line += first;
      for (const next of others) {
        yield line;
        line = next;
      }
      if (done) break;
    }
    if (line !== "") yield line;
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
