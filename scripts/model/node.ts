import type { JsonObject, JsonValue } from "./model.js";

/** A value of the document together with the JSON pointer that leads to it. */
export interface Node<T extends JsonValue = JsonValue> {
  value: T;
  pointer: string;
}

/** The member `key` of an object, or undefined when there is none. */
export function child(node: Node, key: string): Node | undefined {
  if (!isObject(node.value) || !Object.hasOwn(node.value, key)) return undefined;
  const value = node.value[key];
  return value === undefined ? undefined : { value, pointer: `${node.pointer}/${escapePointer(key)}` };
}

/** The members of an object in document order; none when it is not an object. */
export function entries(node: Node | undefined): [key: string, member: Node][] {
  if (!node || !isObject(node.value)) return [];
  return Object.entries(node.value).map(([key, value]) => [
    key,
    { value, pointer: `${node.pointer}/${escapePointer(key)}` },
  ]);
}

/** The items of an array; none when it is not an array. */
export function items(node: Node | undefined): Node[] {
  if (!node || !Array.isArray(node.value)) return [];
  return node.value.map((value, index) => ({ value, pointer: `${node.pointer}/${index}` }));
}

/** A string member, or undefined when it is absent or something else. */
export function text(node: Node | undefined, key: string): string | undefined {
  const member = node && child(node, key)?.value;
  return typeof member === "string" ? member : undefined;
}

/** Whether the member `key` is the boolean true. */
export function flag(node: Node, key: string): boolean {
  return child(node, key)?.value === true;
}

/**
 * Follows `$ref`s inside the document until something else comes.
 * Gives undefined for a dangling reference or one that leads back to itself.
 */
export function deref(root: JsonObject, node: Node): Node | undefined {
  // Most of what is looked at is no reference.
  if (text(node, "$ref") === undefined) return node;
  const seen = new Set<string>();
  let current = node;
  for (;;) {
    const ref = text(current, "$ref");
    if (ref === undefined) return current;
    if (!ref.startsWith("#") || seen.has(ref)) return undefined;
    seen.add(ref);
    const target = at(root, safeDecode(ref.slice(1)));
    if (!target) return undefined;
    current = target;
  }
}

/** The node that a `$ref` inside the document names, one step; undefined when there is none. */
export function resolve(root: JsonObject, ref: string): Node | undefined {
  return ref.startsWith("#") ? at(root, safeDecode(ref.slice(1))) : undefined;
}

/**
 * The node that a JSON pointer leads to, or undefined. A way that ends at a `$ref` goes on where that leads, as
 * Redocly's resolver has it: the pointer of the node is then that of the place itself.
 */
export function at(root: JsonObject, pointer: string, hops = 0): Node | undefined {
  let node: Node = { value: root, pointer: "" };
  for (const key of pointer.split("/").slice(1).map(unescapePointer)) {
    let next = member(node, key);
    const ref = next ? undefined : text(node, "$ref");
    if (ref?.startsWith("#") && hops < MAX_HOPS) {
      const target = at(root, safeDecode(ref.slice(1)), hops + 1);
      next = target && member(target, key);
    }
    if (!next) return undefined;
    node = next;
  }
  return node;
}

/** References that a way may lead through; a document with more of them does not get here. */
const MAX_HOPS = 50;

/** The member of an object or the item of an array. */
function member(node: Node, key: string): Node | undefined {
  if (!Array.isArray(node.value)) return child(node, key);
  const value = node.value[Number(key)];
  return value === undefined ? undefined : { value, pointer: `${node.pointer}/${key}` };
}

/** Whether a value is an object of the document: no list, and not null. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A key as JSON pointers have it. */
export function escapePointer(key: string): string {
  // Asked for each key of the document, of which few have such a sign.
  return /[~/]/.test(key) ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

/** The key of a JSON pointer's part. */
export function unescapePointer(key: string): string {
  return key.includes("~") ? key.replaceAll("~1", "/").replaceAll("~0", "~") : key;
}

function safeDecode(pointer: string): string {
  if (!pointer.includes("%")) return pointer;
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}
