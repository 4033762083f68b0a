import type { Diagnostic } from "../../diagnostic.js";
import { isObject, parsePointer } from "../pointer.js";
import type { ValidationError } from "./errors.js";

/** Keywords whose violation leaves open what the document means. All others restrict what it may say besides. */
const DECISIVE = new Set([
  "type",
  "enum",
  "const",
  "required",
  "anyOf",
  "oneOf",
  "minimum",
  "exclusiveMinimum",
]);
/** Members that do not affect what goes over the wire. */
const PROSE = new Set(["info", "servers", "tags", "externalDocs", "security"]);
const TYPES = new Set(["null", "boolean", "object", "array", "number", "integer", "string"]);
const STYLES = new Set([
  "form",
  "simple",
  "label",
  "matrix",
  "spaceDelimited",
  "pipeDelimited",
  "deepObject",
]);

/**
 * Decides how serious a structural error is. Public documents deviate from the schemas in many ways: where the meaning
 * of the rest is clear, a deviation is a warning.
 *
 * @param value the value at the error's location
 * @returns undefined for errors that the model reports in its own words
 */
export function severityOf(error: ValidationError, value: unknown): Diagnostic["severity"] | undefined {
  const keys = parsePointer(error.instancePath);
  if (isLeftToModel(error, keys, value)) return undefined;
  return DECISIVE.has(error.keyword) && !isTolerable(error, keys, value) ? "error" : "warning";
}

/** Names of paths and statuses, and path parameters that are not marked as required. */
function isLeftToModel(
  { keyword, params }: ValidationError,
  keys: readonly string[],
  value: unknown,
): boolean {
  const last = keys.at(-1);
  const isUnexpected = keyword === "additionalProperties" || keyword === "unevaluatedProperties";
  if (isUnexpected && keys.length === 1 && last === "paths") return true;
  const isResponses = last === "responses" && !(keys.length === 2 && keys[0] === "components");
  if (isResponses && (isUnexpected || params["missingProperty"] === "default")) return true;
  // `description: { $ref: guide.md }` and the like, before bundling.
  if (keyword === "type" && isObject(value) && typeof value["$ref"] === "string") return true;
  return (
    (params["missingProperty"] === "required" && isObject(value) && value["in"] === "path") ||
    (last === "required" && value === false && (keyword === "const" || keyword === "enum"))
  );
}

function isTolerable({ keyword, params }: ValidationError, keys: readonly string[], value: unknown): boolean {
  const last = keys.at(-1) ?? "";
  // A key without a value, which is easily left in YAML.
  if (value === null && keyword === "type") return EMPTY.test(last);
  if (keyword === "enum" && last === "type") return value === "null" || isListOfTypes(value);
  if (isProse(keys) || keys.includes("links")) return true;
  if (keyword === "required") return params["missingProperty"] === "description";
  if (keyword === "oneOf" && Array.isArray(params["passing"]) && params["passing"].length > 1) return true;
  // Keywords of 3.1 have the same meaning in a document of 3.0, and vice versa.
  if (last === "type" && keys.at(-2) !== "properties" && isListOfTypes(value)) return true;
  if (keyword === "enum" || keyword === "const") return last === "style" && STYLES.has(String(value));
  if (keyword !== "type") return false;
  // Keywords of other drafts, which nothing is generated from.
  if (/^\$(recursive|comment$|vocabulary$)/.test(last) || keys.includes("dependencies")) return true;
  if (typeof value === "boolean") return /^exclusive(Min|Max)imum$/.test(last) || isSchema(keys);
  if (last === "items" && Array.isArray(value)) return true;
  return last === "examples";
}

/** Keys that may be left without a value. */
const EMPTY =
  /^(description|summary|title|parameters|tags|security|servers|callbacks|links|headers|externalDocs)$/;

function isListOfTypes(value: unknown): boolean {
  return Array.isArray(value) && value.every((type) => TYPES.has(type));
}

/** Whether a pointer leads to a Schema Object. */
function isSchema(keys: readonly string[]): boolean {
  const [last = "", parent = ""] = keys.slice(-2).reverse();
  if (/^(schemas|properties|allOf|anyOf|oneOf|prefixItems|patternProperties|\$defs)$/.test(parent))
    return true;
  return /^(schema|items|not|additionalProperties)$/.test(last);
}

/** Whether a pointer leads into members that do not affect what goes over the wire. */
function isProse([first = "", second = "", third = "", fourth = ""]: readonly string[]): boolean {
  if (PROSE.has(first) || (first === "components" && second === "securitySchemes")) return true;
  if (first !== "paths" || second === "") return false;
  // The third key is a member of a path item, the fourth one of an operation.
  return [third, fourth].some((key) => key !== "tags" && PROSE.has(key));
}
