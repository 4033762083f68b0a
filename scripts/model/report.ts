import type { JsonObject } from "./model.js";
import type { Node } from "./node.js";

/** Collects problems while the model is built, so that all of them are reported together. */
export interface Report {
  document: JsonObject;
  error(node: Node | string, message: string): void;
  warn(node: Node | string, message: string): void;
}
