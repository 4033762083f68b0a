import { EncodedJson } from "../../http/responses/encoded-json.js";

/** Characters that JSON in UTF-8 encodes with more than one byte: up to six, for control characters. */
const LONG_CHARACTER = /[^ !#-[\]-~]/;

/** Estimates the size of a value as JSON in UTF-8. */
export function estimateSize(value: unknown): number {
  if (typeof value === "string")
    return LONG_CHARACTER.test(value) ? Buffer.byteLength(JSON.stringify(value)) : value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  if (value instanceof EncodedJson) return value.bytes.length;
  let size = 2;
  if (Array.isArray(value)) {
    for (const item of value) size += 1 + estimateSize(item);
    return size;
  }
  // Faster than Object.entries, because a list can have 100,000 members. Safe cast: the loop yields the keys of the value.
  for (const key in value) size += 2 + estimateSize(key) + estimateSize(value[key as keyof typeof value]);
  return size;
}
