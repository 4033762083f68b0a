import {
  decodePercent,
  escapePointer,
  getOwnValue,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../json.js";
import { followPointer } from "../follow-pointer.js";

export interface DocumentNode<T extends JsonValue = JsonValue> {
  value: T;
  pointer: string;
}

/** Returns the member `key` of an object; undefined if there is none. */
export function getMember(node: DocumentNode | undefined, key: string): DocumentNode | undefined {
  if (!node || Array.isArray(node.value)) return undefined;
  const value = getOwnValue(node.value, key);
  return value === undefined ? undefined : createChild(node, key, value);
}

function createChild({ pointer }: DocumentNode, key: string, value: JsonValue): DocumentNode {
  return { value, pointer: `${pointer}/${escapePointer(key)}` };
}

/** Lists the members of an object in document order; none for any other value. */
export function listMembers(node: DocumentNode | undefined): [key: string, member: DocumentNode][] {
  if (!node || !isObject(node.value)) return [];
  return Object.entries(node.value).map(([key, value]) => [key, createChild(node, key, value)]);
}

/** Lists the items of an array; none for any other value. */
export function listItems(node: DocumentNode | undefined): DocumentNode[] {
  if (!node || !Array.isArray(node.value)) return [];
  return node.value.map((value, index) => createChild(node, String(index), value));
}

/** Returns the string member `key` of an object; undefined if it is absent or not a string. */
export function getText(node: DocumentNode | undefined, key: string): string | undefined {
  const member = getMember(node, key)?.value;
  return typeof member === "string" ? member : undefined;
}

/** Lists the strings in the member `key`, an array; none if it is absent. */
export function listTexts(node: DocumentNode | undefined, key: string): string[] {
  return listItems(getMember(node, key)).flatMap(({ value }) => (typeof value === "string" ? [value] : []));
}

export function isTrue(node: DocumentNode | undefined, key: string): boolean {
  return getMember(node, key)?.value === true;
}

/** Follows `$ref`s inside the document to a value; undefined for a dangling or circular reference. */
export function deref(root: JsonObject, node: DocumentNode): DocumentNode | undefined {
  return listReferenceChain(root, node)?.at(-1);
}

/** Lists a node and those that its `$ref`s lead to, one after the other; undefined for a dangling or circular reference. */
export function listReferenceChain(root: JsonObject, node: DocumentNode): DocumentNode[] | undefined {
  const chain = [node];
  const visited = new Set<string>();
  for (let ref = getText(node, "$ref"); ref !== undefined; ref = getText(chain.at(-1), "$ref")) {
    if (!ref.startsWith("#") || visited.has(ref)) return undefined;
    visited.add(ref);
    const target = followPointer(root, decodePercent(ref.slice(1)));
    if (!target) return undefined;
    chain.push(target);
  }
  return chain;
}
