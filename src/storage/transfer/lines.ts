import { TransferError } from "./format.js";

/** Far more than any row has: a request has at most half a megabyte. */
const MAX_LINE = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

/** A line of a file. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/**
 * Parts a stream of bytes at its line feeds, and nowhere else: the characters that Unicode knows as ends of lines besides
 * may be in texts.
 *
 * @throws TransferError for a line that is not UTF-8, or too long
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 0;
  let pieces: Uint8Array[] = [];
  let length = 0;
  const take = (): Line => {
    const bytes = Buffer.concat(pieces);
    pieces = [];
    length = 0;
    number += 1;
    return { number, text: decode(bytes, number) };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      pieces.push(chunk.subarray(start, end));
      start = end + 1;
      yield take();
    }
    length += chunk.length - start;
    if (length > MAX_LINE) throw TransferError.at(number + 1, "this line is too long for an export.");
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
  if (length > 0) yield take();
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array, number: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw TransferError.at(number, "this is no text in UTF-8.");
  }
}
