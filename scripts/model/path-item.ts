import { type HttpMethod, METHODS } from "./model.js";
import { isObject, type JsonObject } from "../json.js";
import { type Node, getMember } from "./node.js";

/** Lists the operations of a path item with their methods, in the order of METHODS. */
export function listOperations(pathItem: Node): [method: HttpMethod, operation: Node<JsonObject>][] {
  return METHODS.flatMap((method): [HttpMethod, Node<JsonObject>][] => {
    const { value, pointer } = getMember(pathItem, method) ?? {};
    return isObject(value) && pointer !== undefined ? [[method, { value, pointer }]] : [];
  });
}
