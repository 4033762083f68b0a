/** Format of a stream of JSON values: JSON lines or a JSON sequence (RFC 7464). */
export type LineFormat = "lines" | "sequence";

/** Begins each value of a JSON sequence (RFC 7464, section 2.2). */
export const RECORD_SEPARATOR = "\u001e";

/**
 * Whether an element of a JSON sequence may be truncated, so that it must be dropped: a number, true, false or null without
 * whitespace after it (RFC 7464, section 2.4).
 */
export function mayBeTruncated(element: string): boolean {
  return /^\s*[-\dtfn]/.test(element) && /\S$/.test(element);
}

/** Encodes one value of JSON lines or of a JSON sequence. */
export function encodeLine(value: unknown, format: LineFormat): string {
  return `${format === "sequence" ? RECORD_SEPARATOR : ""}${JSON.stringify(value ?? null)}\n`;
}
