import type { Diagnostic } from "../../diagnostic.js";
import { isObject } from "../../json.js";
import { getKindAt, getSubschemaShape, isAssertion, isSchemaType } from "../../json-schema/keywords.js";
import { coerceValue } from "./coerce-value.js";
import { isPathParameterRequirement, listAlternatives, type StructureError } from "./validation-errors.js";

/** Keywords whose violation makes the meaning of the document unclear. Violations of others are only warnings. */
const DECISIVE_KEYWORDS = new Set("type enum const required anyOf oneOf minimum exclusiveMinimum".split(" "));
/** Members of a document or operation that do not affect the content of HTTP messages. */
const DOCUMENTATION_MEMBERS = new Set(["info", "servers", "tags", "externalDocs", "security"]);
/** Optional members for which null means the same as absence. */
const OPTIONAL_MEMBERS = new Set(
  (
    "description summary title externalDocs xml deprecated example examples operationId parameters requestBody content " +
    "schema headers links callbacks encoding tags security servers components schemas responses requestBodies " +
    "securitySchemes pathItems properties required format pattern contact license mapping"
  ).split(" "),
);
/** Other members for which an empty list stands for an empty object. */
const OBJECT_MEMBERS = new Set("paths webhooks items additionalProperties patternProperties".split(" "));
/** Members that do not affect HTTP messages, or only the strictness of a check. A value of a wrong type is ignored. */
const ANNOTATIONS = new Set(
  "description summary title externalDocs xml deprecated $comment format pattern".split(" "),
);
/** Members of a header or a request body that do not describe its content. */
const CONTENT_FREE_MEMBERS = /^(description|required|deprecated|example|examples|x-.*)$/;
const STYLES = new Set("form simple label matrix spaceDelimited pipeDelimited deepObject".split(" "));

/** Determines the severity of an error: a warning if the meaning is clear, undefined if another check reports it better. */
export function rateError(error: StructureError): Diagnostic["severity"] | undefined {
  if (isReportedElsewhere(error)) return undefined;
  return DECISIVE_KEYWORDS.has(error.keyword) && !isTolerable(error) ? "error" : "warning";
}

/** Whether a value is ignored as if the document did not have it, because it is optional and unclear, or because it has none. */
export function isIgnored(error: StructureError): boolean {
  const { keyword, name, ownerKind, types, value } = error;
  // PHP writes empty objects as empty lists.
  const isEmptyList = Array.isArray(value) && value.length === 0;
  // The author of the document chose the name of the member.
  if (ownerKind === "map" || ownerKind === "schemas")
    return keyword === "type" && (value === null || isEmptyList) && canBeEmpty(error);
  if (keyword !== "type") return false;
  if (value === null) return OPTIONAL_MEMBERS.has(name);
  const isEmptyObject = isEmptyList && types.includes("object");
  if (isEmptyObject && (OPTIONAL_MEMBERS.has(name) || OBJECT_MEMBERS.has(name))) return true;
  return ownerKind === "examples" || ANNOTATIONS.has(name);
}

/** Whether a member whose name the author of the document chose is the same without a value as with an empty object. */
function canBeEmpty({ keys, kind }: StructureError): boolean {
  const owner = keys.at(-2) ?? "";
  const isPathItem = keys.length === 2 && /^(paths|webhooks)$/.test(owner);
  const isContent = /^(content|encoding|callbacks)$/.test(owner);
  // An empty entry of a list could be meant as anything.
  return isPathItem || isContent || (kind === "schema" && getSubschemaShape(owner) !== "list");
}

/** Whether another check reports the error better, such as an unreadable file, an invalid path or status, or missing responses. */
function isReportedElsewhere(error: StructureError): boolean {
  const { keyword, params, keys, name, ownerKind, unexpectedName, value } = error;
  const isUnexpected = unexpectedName !== undefined;
  if (isUnexpected && keys.length === 1 && name === "paths") return true;
  // The model reports a key of `content` that is not a media type.
  const isMediaType = keys.at(-2) === "content" && ownerKind === "map";
  if (isUnexpected && isMediaType && !name.includes("/")) return true;
  const isResponses = name === "responses" && !(keys.length === 2 && keys[0] === "components");
  if (isResponses && (isUnexpected || params["missingProperty"] === "default")) return true;
  // Keywords of a schema in a parameter or header, as in Swagger 2.0. The missing `schema` is reported.
  const lacksSchema = isObject(value) && value["schema"] === undefined && value["content"] === undefined;
  const isParameterOrHeader = /^(?:parameters|headers)$/.test(keys.at(-2) ?? "");
  if (isParameterOrHeader && lacksSchema && isAssertion(unexpectedName ?? "")) return true;
  // Bundling has reported that the file, e.g. a description, cannot be read.
  const ref = isObject(value) ? value["$ref"] : undefined;
  if (keyword === "type" && typeof ref === "string" && !ref.startsWith("#")) return true;
  if (keyword !== "required" || !isObject(value)) return false;
  // The model reports an operation without responses in every version.
  if (keys.length === 3 && keys[0] === "paths" && params["missingProperty"] === "responses") return true;
  const isSecurityScheme = keys.length === 3 && keys[1] === "securitySchemes";
  // The type of a security scheme decides which other properties it needs.
  if (isSecurityScheme && value["type"] === undefined) return params["missingProperty"] !== "type";
  // The location of a parameter decides whether it needs `required` or `content`.
  const isParameter = keys.at(-2) === "parameters" && value["in"] === undefined;
  return isParameter && /^(?:required|content)$/.test(String(params["missingProperty"]));
}

/** Whether the meaning of the document is clear although it violates a decisive keyword. */
function isTolerable(error: StructureError): boolean {
  const { keyword, params, keys, name, kind, value } = error;
  if (isIgnored(error) || coerceValue(error) !== undefined) return true;
  const isDocumentation =
    isDocumentationLocation(keys) || isBelow(keys, "links") || isBelow(keys, "externalDocs");
  // An empty entry of a list could be meant as anything.
  if (value === null && keyword === "type") return isDocumentation && !/^\d+$/.test(name);
  if (isDocumentation) return true;
  if (keyword === "enum" && name === "type") return value === "null";
  if (lacksContent(error)) return true;
  if (keyword === "required")
    return /^(description|required|responses)$/.test(String(params["missingProperty"]));
  // Properties that exclude each other, such as `example` and `examples`.
  if (keyword === "oneOf" && Array.isArray(params["passing"]) && params["passing"].length > 1) return true;
  // Keywords of 3.1 have the same meaning in a document of 3.0, and vice versa.
  const isListOfTypes = Array.isArray(value) && value.length > 0 && value.every(isSchemaType);
  if (name === "type" && keys.at(-2) !== "properties" && isListOfTypes) return true;
  if (isPathParameterRequirement(error)) return true;
  if (keyword === "enum" || keyword === "const") return name === "style" && STYLES.has(String(value));
  if (keyword !== "type") return false;
  // Keywords of other drafts that do not affect the generated code.
  if (/^\$(recursive|comment$|vocabulary$)/.test(name) || isBelow(keys, "dependencies")) return true;
  if (/^exclusive(Min|Max)imum$/.test(name)) return typeof value === "boolean" || typeof value === "number";
  if (typeof value === "boolean") return kind === "schema";
  if (name === "items" && Array.isArray(value)) return true;
  return name === "examples";
}

/** Whether an error is about a header or a request body that does not describe its content, and has no other mistake. */
function lacksContent(error: StructureError): boolean {
  const { keys, params, value } = error;
  const isHeader = keys.at(-2) === "headers" && listAlternatives(error).includes("schema");
  const isBody = /^requestBod(y|ies)$/.test(keys.at(keys[0] === "components" ? 1 : -1) ?? "");
  return (
    (isHeader || (isBody && params["missingProperty"] === "content")) &&
    isObject(value) &&
    Object.keys(value).every((name) => CONTENT_FREE_MEMBERS.test(name))
  );
}

/** Whether a pointer leads into a member of OpenAPI or JSON Schema, and not into a property or component with that name. */
function isBelow(keys: readonly string[], name: string): boolean {
  return keys.some(
    (key, index) => key === name && !["map", "schemas"].includes(getKindAt(keys.slice(0, index))),
  );
}

/** Whether a pointer leads into members that do not affect the content of HTTP messages. */
function isDocumentationLocation([
  first = "",
  second = "",
  third = "",
  fourth = "",
]: readonly string[]): boolean {
  if (DOCUMENTATION_MEMBERS.has(first) || (first === "components" && second === "securitySchemes"))
    return true;
  if (first !== "paths" || second === "") return false;
  // The third key is a member of a path item, the fourth one of an operation.
  return [third, fourth].some((key) => key !== "tags" && DOCUMENTATION_MEMBERS.has(key));
}
