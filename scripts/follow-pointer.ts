import { decodePercent, escapePointer, getOwnValue, type JsonValue, unescapePointer } from "./json.js";

/** Maximum length of a chain of `$ref`s. Following a chain takes time that grows with the cube of its length. */
export const MAX_REFERENCE_HOPS = 50;

/** Returns the value at a JSON pointer; undefined if there is none. Follows each `$ref` on the way, as Redocly's resolver does. */
export function followPointer(
  root: JsonValue,
  pointer: string,
  hops = 0,
): { value: JsonValue; pointer: string } | undefined {
  let node = { value: root, pointer: "" };
  for (const segment of pointer.split("/").slice(1)) {
    const key = unescapePointer(segment);
    const value = getOwnValue(node.value, key);
    if (value !== undefined) {
      node = { value, pointer: `${node.pointer}/${escapePointer(key)}` };
      continue;
    }
    const ref = getOwnValue(node.value, "$ref");
    if (typeof ref !== "string" || !ref.startsWith("#") || hops >= MAX_REFERENCE_HOPS) return undefined;
    const target = followPointer(root, `${decodePercent(ref.slice(1))}/${segment}`, hops + 1);
    if (!target) return undefined;
    node = target;
  }
  return node;
}
