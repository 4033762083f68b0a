export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Parses a JSON text; undefined if it is not valid. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON value without members. */
export type Scalar = string | number | boolean | null;

export function isScalar(value: JsonValue): value is Scalar {
  return typeof value !== "object" || value === null;
}

/** Whether a value is an object, not null or an array. */
export function isObject(value: JsonValue | undefined): value is JsonObject;
export function isObject(value: unknown): value is Record<string, unknown>;
export function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two values are equal, regardless of the order of keys. */
export function isEqual(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true;
  if (isScalar(one) || isScalar(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  // Safe casts: arrays are compared like objects, by own keys.
  const [left, right] = [one as JsonObject, other as JsonObject];
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(left[key] ?? null, right[key] ?? null))
  );
}

// Both functions test first, because almost no key has these characters: 500,000 keys take 5 to 13 instead of 35 to 43 ms.

export function escapePointer(key: string): string {
  return /[~/]/.test(key) ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

export function unescapePointer(segment: string): string {
  return segment.includes("~") ? segment.replaceAll("~1", "/").replaceAll("~0", "~") : segment;
}

/** Decodes the percent-encoding of a URI fragment. Text that is not encoded correctly is returned unchanged. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Converts a URI fragment such as `#/paths` to a JSON pointer. Redocly writes `#/` for the whole document. */
export function fragmentToPointer(fragment: string): string {
  return fragment.replace(/^#\/?$|^#/, "");
}

/** Splits a JSON pointer such as `/paths/~1v1~1pages` into keys (RFC 6901). */
export function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer.slice(1).split("/").map(unescapePointer);
}

export function toPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${escapePointer(key)}`).join("");
}

/** Returns the member of an object or the item of an array; never a value from a prototype, nor the length of an array. */
export function getOwnValue(node: JsonValue | undefined, key: string): JsonValue | undefined;
export function getOwnValue(node: unknown, key: string): unknown;
export function getOwnValue(node: unknown, key: string): unknown {
  if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
  return key === "length" && Array.isArray(node) ? undefined : Reflect.get(node, key);
}

/** Follows a JSON pointer through own values; undefined when there is no value. */
export function findValue(root: unknown, pointer: string): unknown {
  return parsePointer(pointer).reduce<unknown>(getOwnValue, root);
}
