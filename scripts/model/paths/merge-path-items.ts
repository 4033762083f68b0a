import { isObject, type JsonObject, type JsonValue } from "../../json.js";
import type { Report } from "../context.js";
import { METHODS } from "../model.js";
import { getMember, listMembers, listReferenceChain, type DocumentNode } from "../node.js";

/** Members of a path item that generated code depends on, or that are refused. */
const USED_MEMBERS = [...METHODS, "query", "additionalOperations", "parameters", "servers"];

/**
 * Merges path items that have operations, parameters or servers beside a `$ref` with the target of the reference, in a copy of the
 * document. OpenAPI does not define the result for members that both have. Here the target's are ignored, with a warning.
 */
export function mergePathItems(document: JsonObject, warn: Report): JsonObject {
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

function mergePathItem(item: DocumentNode, document: JsonObject, warn: Report): JsonValue {
  const [target, ...referring] = listReferenceChain(document, item)?.reverse() ?? [];
  const hasUsedMember = (node: DocumentNode): boolean => USED_MEMBERS.some((key) => getMember(node, key));
  if (!isObject(target?.value) || !referring.some(hasUsedMember)) return item.value;
  let merged = target.value;
  for (const node of referring) {
    if (!isObject(node.value)) continue;
    const { $ref, ...ownMembers } = node.value;
    for (const key of USED_MEMBERS) {
      const member = getMember(node, key);
      if (member && Object.hasOwn(merged, key))
        warn(
          member,
          `${key} is also in ${String($ref)}, where it is ignored for this path. Keep one of them.`,
        );
    }
    merged = { ...merged, ...ownMembers };
  }
  return merged;
}
