import { parsePointer } from "./pointer.js";

/** Members whose own members go by names that the document chose, so that none of these is a keyword. */
const NAMED = new Set(
  (
    "properties patternProperties $defs definitions dependentSchemas schemas parameters requestBodies responses " +
    "headers examples links callbacks pathItems securitySchemes content encoding mapping variables scopes paths webhooks"
  ).split(" "),
);
/** Members whose value is data: what looks like a reference or a mistake in it is none. */
const DATA = new Set(["example", "default", "enum", "const"]);
/** Members that say nothing about what goes over the wire. */
const PROSE = new Set(["info", "servers", "tags", "externalDocs", "security"]);
const TYPES = new Set(["null", "boolean", "object", "array", "number", "integer", "string"]);

/** Whether a pointer leads into the value of an example, of a default, of an enum or of an extension. */
export function isInData(pointer: string): boolean {
  const keys = parsePointer(pointer);
  return keys.some((key, index) => {
    if (NAMED.has(keys[index - 1] ?? "") && keys[index - 2] !== "properties") return false;
    if (key === "examples")
      return keys.includes("value", index + 2) || /^[0-9]+$/.test(keys[index + 1] ?? "");
    return DATA.has(key) || key.startsWith("x-");
  });
}

/**
 * Whether what breaks the structure of OpenAPI leaves no doubt about the meaning of the rest. Many public documents
 * have such a thing somewhere.
 *
 * @param message Redocly's
 * @param value what stands at the pointer
 */
export function isHarmlessStructure(message: string, pointer: string, value: unknown): boolean {
  const keys = parsePointer(pointer);
  const last = keys.at(-1) ?? "";
  // An unknown field.
  if (/^Property `.*` is not expected here\.$/s.test(message)) return true;
  // Flags from before 3.1, which mean what they meant.
  if (message === "Expected type `number` but got `boolean`.") return /^exclusive(Min|Max)imum$/.test(last);
  // Only a response must have one.
  if (message === "The field `description` must be present on this level.") return true;
  // A key without a value, as YAML easily has it.
  if (message === "Expected type `string` but got `null`.") return /^(description|summary|title)$/.test(last);
  if (/^Expected type `(?!Schema)\w+` \((array|object)\) but got `null`/.test(message))
    return /^(parameters|tags|security|servers|callbacks|links|headers|examples|externalDocs)$/.test(last);
  // What 3.1 allows means the same in a document of 3.0, and the other way round.
  if (message.startsWith("`type` can be one of the following only"))
    return value === "null" || (Array.isArray(value) && value.every((type) => TYPES.has(type)));
  if (message === "Expected type `Schema` (object) but got `boolean`") return true;
  return isProse(keys) || isInData(pointer) || message.includes("`ExamplesMap`");
}

function isProse([first = "", second = "", third = "", fourth = ""]: string[]): boolean {
  if (PROSE.has(first) || (first === "components" && second === "securitySchemes")) return true;
  if (first !== "paths" || second === "") return false;
  // Of a path item, and of an operation.
  return [third, fourth].some((key) => key !== "tags" && PROSE.has(key));
}
