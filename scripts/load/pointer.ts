import { escapePointer, unescapePointer } from "../model/json.js";

/** Splits a JSON pointer such as `/paths/~1v1~1pages` into keys (RFC 6901). */
export function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer.slice(1).split("/").map(unescapePointer);
}

/** Joins keys to a JSON pointer. */
export function toPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${escapePointer(key)}`).join("");
}

/** Decodes percent escapes; text that is not percent-encoded correctly is returned as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the own value under a key of an object or array; never one from a prototype. */
export function ownValue(node: unknown, key: string): unknown {
  if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
  return Reflect.get(node, key);
}

/** Follows a JSON pointer through own values; undefined when there is no value. */
export function valueAt(root: unknown, pointer: string): unknown {
  return parsePointer(pointer).reduce<unknown>(ownValue, root);
}

/** True for anything but null, arrays and scalars. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
