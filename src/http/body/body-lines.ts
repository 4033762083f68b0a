import { createTooLargeError, type ReadChunk } from "./body-stream.js";
import { parseJson } from "../json.js";
import { type LineFormat, mayBeTruncated, RECORD_SEPARATOR } from "../json-lines.js";

/**
 * Parses and checks the values of JSON lines or of a JSON sequence as they arrive. Skips empty lines, and values of a
 * sequence that may be truncated.
 *
 * @param limit maximum size in bytes of one value
 * @param check throws if a value is invalid; its label in messages is e.g. `body[0]`
 * @throws InvalidRequestError for a value that is not JSON, too large or invalid
 */
export async function* parseLines(
  readChunk: ReadChunk,
  format: LineFormat,
  limit: number,
  check: (label: string, value: unknown) => void,
): AsyncGenerator<unknown, void, undefined> {
  const separator = format === "sequence" ? RECORD_SEPARATOR : "\n";
  let index = 0;
  for await (const line of splitLines(readChunk, separator.charCodeAt(0), limit)) {
    if (!line.some((byte) => byte > SPACE)) continue;
    if (format === "sequence" && mayBeTruncated(line.toString("latin1"))) continue;
    const label = `body[${index}]`;
    const value = parseJson(line, label);
    check(label, value);
    yield value;
    index += 1;
  }
}

/** The largest code of the whitespace of JSON. */
const SPACE = 0x20;

/** Splits a body at a byte, which is not part of any character of more bytes. */
async function* splitLines(readChunk: ReadChunk, separator: number, limit: number): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > limit) throw createTooLargeError(limit);
    pieces.push(piece);
  };
  for (let chunk = await readChunk(); chunk; chunk = await readChunk()) {
    let start = 0;
    for (let end = chunk.indexOf(separator); end !== -1; end = chunk.indexOf(separator, start)) {
      add(chunk.subarray(start, end));
      yield Buffer.concat(pieces);
      pieces = [];
      length = 0;
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  yield Buffer.concat(pieces);
}
