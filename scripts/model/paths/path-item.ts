import { type HttpMethod, METHODS } from "../model.js";
import { isObject, type JsonObject } from "../../json.js";
import { type DocumentNode, getMember } from "../node.js";

/** Lists the operations of a path item with their methods, in the order of METHODS. */
export function listOperations(
  pathItem: DocumentNode,
): [method: HttpMethod, operation: DocumentNode<JsonObject>][] {
  return METHODS.flatMap((method): [HttpMethod, DocumentNode<JsonObject>][] => {
    const { value, pointer } = getMember(pathItem, method) ?? {};
    return isObject(value) && pointer !== undefined ? [[method, { value, pointer }]] : [];
  });
}
