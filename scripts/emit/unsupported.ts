import type { JsonObject, JsonValue, Problem } from "../model/model.js";
import { escapePointer, isObject } from "../model/node.js";

/** Keywords whose value is data: it may look like a schema and is none. */
const DATA = new Set(["const", "enum", "default", "example", "examples"]);

/**
 * Finds what Ajv compiles to a wrong answer: it takes a required property whose name is empty for present. Such a
 * schema is refused, never answered wrongly.
 */
export function findUnsupported(document: JsonObject): Problem[] {
  const found: Problem[] = [];
  const visit = (value: JsonValue, pointer: string): void => {
    if (Array.isArray(value)) value.forEach((item, index) => visit(item, `${pointer}/${index}`));
    if (!isObject(value)) return;
    const dependent = isObject(value.dependentRequired) ? Object.values(value.dependentRequired) : [];
    if ([value.required, ...dependent].some((names) => Array.isArray(names) && names.includes(""))) {
      found.push({
        severity: "error",
        pointer,
        message: "a required property with an empty name cannot be checked; leave it out of `required`",
      });
    }
    for (const [key, member] of Object.entries(value)) {
      if (!DATA.has(key)) visit(member, `${pointer}/${escapePointer(key)}`);
    }
  };
  visit(document, "");
  return found;
}
