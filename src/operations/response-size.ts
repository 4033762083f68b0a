import { MAX_PRESENTED_BYTES_PER_TURN, MAX_RESPONSE_BYTES } from "../budgets.js";
import { EncodedJson } from "../http/encoded-json.js";

/** Returns the first bodies that fit into a response of MAX_RESPONSE_BYTES, but at least one. */
export function takeWithinResponseLimit<Body extends object>(bodies: readonly Body[]): readonly Body[] {
  return takeWithinSize(bodies, MAX_RESPONSE_BYTES, estimateSize);
}

/** Returns the first elements, at least one, whose sizes together are at most `maxBytes`. */
export function takeWithinSize<Element>(
  elements: readonly Element[],
  maxBytes: number,
  getBytes: (element: Element) => number,
): readonly Element[] {
  let bytes = 0;
  const end = elements.findIndex((element, index) => {
    bytes += getBytes(element);
    return index > 0 && bytes > maxBytes;
  });
  return end === -1 ? elements : elements.slice(0, end);
}

/** Splits elements into parts of at most MAX_PRESENTED_BYTES_PER_TURN; a larger element is a part by itself. */
export function splitIntoTurns<Element>(
  elements: readonly Element[],
  getBytes: (element: Element) => number,
): (readonly Element[])[] {
  const parts = [];
  for (let rest = elements; rest.length > 0;) {
    const part = takeWithinSize(rest, MAX_PRESENTED_BYTES_PER_TURN, getBytes);
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return parts;
}

/** Characters that JSON in UTF-8 encodes with more than one byte: up to six, for control characters. */
const LONG_CHARACTER = /[^ !#-[\]-~]/;

/** Estimates the size of a value as JSON in UTF-8. */
export function estimateSize(value: unknown): number {
  if (typeof value === "string")
    return LONG_CHARACTER.test(value) ? Buffer.byteLength(JSON.stringify(value)) : value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  if (value instanceof EncodedJson) return value.bytes.length;
  let size = 2;
  for (const [key, member] of Object.entries(value)) size += key.length + 4 + estimateSize(member);
  return size;
}
