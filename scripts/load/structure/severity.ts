import type { Diagnostic } from "../../diagnostic.js";
import { parsePointer, isObject } from "../../json.js";
import { getKindAt } from "../../json-schema/keywords.js";
import { isOptionalPathParameter, type ValidationError } from "./validation-errors.js";

/** Keywords whose violation makes the meaning of the document unclear. Violations of others are only warnings. */
const DECISIVE_KEYWORDS = new Set("type enum const required anyOf oneOf minimum exclusiveMinimum".split(" "));
/** Members of a document or operation that do not affect the content of HTTP messages. */
const NON_WIRE_MEMBERS = new Set(["info", "servers", "tags", "externalDocs", "security"]);
/** Matches keys that documents often have without a value. */
const KEYS_OFTEN_EMPTY =
  /^(description|summary|title|parameters|tags|security|servers|callbacks|links|headers|externalDocs)$/;
const TYPES = new Set(["null", "boolean", "object", "array", "number", "integer", "string"]);
const STYLES = new Set("form simple label matrix spaceDelimited pipeDelimited deepObject".split(" "));

/**
 * Determines the severity of a structural error. Many public documents violate the official schemas, so a violation that
 * leaves the meaning clear is only a warning.
 *
 * @param value the value at the error's location
 * @returns undefined for errors that another check reports with a better message
 */
export function rateError(error: ValidationError, value: unknown): Diagnostic["severity"] | undefined {
  const keys = parsePointer(error.instancePath);
  if (isReportedElsewhere(error, keys, value)) return undefined;
  return DECISIVE_KEYWORDS.has(error.keyword) && !isTolerable(error, keys, value) ? "error" : "warning";
}

/** Whether another check reports the error better: an unreadable file, an invalid path or status, a parameter without `in`. */
function isReportedElsewhere(
  { keyword, params }: ValidationError,
  keys: readonly string[],
  value: unknown,
): boolean {
  const last = keys.at(-1);
  const isUnexpected = keyword === "additionalProperties" || keyword === "unevaluatedProperties";
  if (isUnexpected && keys.length === 1 && last === "paths") return true;
  const isResponses = last === "responses" && !(keys.length === 2 && keys[0] === "components");
  if (isResponses && (isUnexpected || params["missingProperty"] === "default")) return true;
  // Bundling has reported that the file, e.g. a description, cannot be read.
  const ref = isObject(value) ? value["$ref"] : undefined;
  if (keyword === "type" && typeof ref === "string" && !ref.startsWith("#")) return true;
  if (keyword !== "required" || !isObject(value)) return false;
  const isSecurityScheme = keys.length === 3 && keys[1] === "securitySchemes";
  // The type of a security scheme decides which other properties it needs.
  if (isSecurityScheme && value["type"] === undefined) return params["missingProperty"] !== "type";
  // The location of a parameter decides whether it needs `required` or `content`.
  const isParameter = keys.at(-2) === "parameters" && value["in"] === undefined;
  return isParameter && /^(?:required|content)$/.test(String(params["missingProperty"]));
}

/** Whether the meaning of the document is clear although it violates a decisive keyword. */
function isTolerable(error: ValidationError, keys: readonly string[], value: unknown): boolean {
  const { keyword, params } = error;
  const last = keys.at(-1) ?? "";
  // YAML documents often contain keys without a value.
  if (value === null && keyword === "type") return KEYS_OFTEN_EMPTY.test(last);
  if (keyword === "enum" && last === "type") return value === "null";
  if (isNonWireLocation(keys) || isBelow(keys, "links")) return true;
  if (keyword === "required") return /^(description|required)$/.test(String(params["missingProperty"]));
  // Properties that exclude each other, such as `example` and `examples`.
  if (keyword === "oneOf" && Array.isArray(params["passing"]) && params["passing"].length > 1) return true;
  // Keywords of 3.1 have the same meaning in a document of 3.0, and vice versa.
  if (last === "type" && keys.at(-2) !== "properties" && isListOfTypes(value)) return true;
  if (isOptionalPathParameter(error, value)) return true;
  if (keyword === "enum" || keyword === "const") return last === "style" && STYLES.has(String(value));
  if (keyword !== "type") return false;
  // Keywords of other drafts that do not affect the generated code.
  if (/^\$(recursive|comment$|vocabulary$)/.test(last) || isBelow(keys, "dependencies")) return true;
  if (typeof value === "boolean")
    return /^exclusive(Min|Max)imum$/.test(last) || getKindAt(keys) === "schema";
  if (last === "items" && Array.isArray(value)) return true;
  return last === "examples";
}

/** Whether a pointer leads into a member of OpenAPI or JSON Schema, and not into a property or component with that name. */
function isBelow(keys: readonly string[], name: string): boolean {
  return keys.some(
    (key, index) => key === name && !["map", "schemas"].includes(getKindAt(keys.slice(0, index))),
  );
}

function isListOfTypes(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((type) => TYPES.has(type));
}

/** Whether a pointer leads into members that do not affect the content of HTTP messages. */
function isNonWireLocation([first = "", second = "", third = "", fourth = ""]: readonly string[]): boolean {
  if (NON_WIRE_MEMBERS.has(first) || (first === "components" && second === "securitySchemes")) return true;
  if (first !== "paths" || second === "") return false;
  // The third key is a member of a path item, the fourth one of an operation.
  return [third, fourth].some((key) => key !== "tags" && NON_WIRE_MEMBERS.has(key));
}
