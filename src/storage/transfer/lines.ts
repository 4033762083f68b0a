import { createLineError } from "./format.js";

/** Maximum length of a line. Far above the size of any row, because requests are smaller. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

export interface Line {
  /** Number of the line in the file; the first one is 1. */
  readonly number: number;
  readonly text: string;
}

/** Splits bytes at line feeds, because strings can contain other line breaks. Throws a UserError for an invalid line. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 0;
  let parts: Uint8Array[] = [];
  let length = 0;
  const endLine = (): Line => {
    const bytes = Buffer.concat(parts);
    parts = [];
    length = 0;
    number += 1;
    return { number, text: decode(bytes, number) };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      parts.push(chunk.subarray(start, end));
      start = end + 1;
      yield endLine();
    }
    length += chunk.length - start;
    if (length > MAX_LINE_BYTES)
      throw createLineError(
        number + 1,
        `the line is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB, so this is not an export.`,
      );
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (length > 0) yield endLine();
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array, number: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    const isCompressed = number === 1 && bytes[0] === 0x1f && bytes[1] === 0x8b;
    throw createLineError(
      number,
      isCompressed
        ? "the file is compressed with gzip. Import it with `gunzip < FILE | page-service import`."
        : "this is not valid UTF-8.",
    );
  }
}
