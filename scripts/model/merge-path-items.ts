import { isObject, type JsonObject, type JsonValue } from "../json.js";
import { METHODS } from "./model.js";
import { deref, getMember, listMembers, type DocumentNode } from "./node.js";

/** Members of a path item that generated code depends on. */
const USED_MEMBERS = [...METHODS, "parameters", "servers"];

/**
 * Merges path items that have operations, parameters or servers beside a `$ref` with the target of the reference. OpenAPI
 * allows this, but does not define the result for members that both have. Here the target's are ignored, with a warning.
 *
 * @returns a copy of the document with the merged path items
 */
export function mergePathItems(
  document: JsonObject,
  warn: (node: DocumentNode, message: string) => void,
): JsonObject {
  const result = { ...document };
  for (const section of ["paths", "webhooks"]) {
    const items = listMembers(getMember({ value: document, pointer: "" }, section));
    if (items.length > 0)
      result[section] = Object.fromEntries(
        items.map(([key, item]) => [key, mergePathItem(item, document, warn)]),
      );
  }
  return result;
}

function mergePathItem(
  item: DocumentNode,
  document: JsonObject,
  warn: (node: DocumentNode, message: string) => void,
): JsonValue {
  if (!isObject(item.value) || typeof item.value.$ref !== "string") return item.value;
  if (!USED_MEMBERS.some((key) => getMember(item, key))) return item.value;
  const target = deref(document, item);
  if (!target || !isObject(target.value)) return item.value;
  for (const key of USED_MEMBERS) {
    const member = getMember(item, key);
    if (member && getMember(target, key))
      warn(
        member,
        `${key} is also in ${item.value.$ref}, where it is ignored for this path. Keep one of them.`,
      );
  }
  const { $ref: _, ...ownMembers } = item.value;
  return { ...target.value, ...ownMembers };
}
