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

/** Returns the own value under a key of an object or array; never one from a prototype. */
export function getOwnValue(node: unknown, key: string): unknown {
  if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
  return Reflect.get(node, key);
}

/** Follows a JSON pointer through own values; undefined when there is no value. */
export function findValue(root: unknown, pointer: string): unknown {
  return parsePointer(pointer).reduce<unknown>(getOwnValue, root);
}
