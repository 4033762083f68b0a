/** Format of a stream of JSON values: JSON lines or a JSON sequence (RFC 7464). */
export type LineFormat = "lines" | "sequence";

/** Begins each value of a JSON sequence (RFC 7464, section 2.2). */
export const RECORD_SEPARATOR = "\u001e";

/** Encodes one value of JSON lines or of a JSON sequence. */
export function encodeLine(value: unknown, format: LineFormat): string {
  return `${format === "sequence" ? RECORD_SEPARATOR : ""}${JSON.stringify(value ?? null)}\n`;
}
