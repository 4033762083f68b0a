import { getOwnValue } from "../../json.js";
import { isAssertion } from "../../json-schema/keywords.js";
import { suggestForm } from "./suggest-form.js";
import { isPathParameterRequirement, listAlternatives, type StructureError } from "./validation-errors.js";
import type { OpenApiVersion } from "../version.js";
import { suggestName } from "../../text.js";

/** Whether an error is about a missing property, other than the `required` that every path parameter needs. */
export function isMissingProperty({ keyword, params }: StructureError): boolean {
  return keyword === "required" && params["missingProperty"] !== "required";
}

/** Formats the message of a structural error. `others` are errors about other missing properties of the same object. */
export function describeStructureError(
  error: StructureError,
  version: OpenApiVersion,
  others: readonly StructureError[],
): string {
  const { keyword, params, name, value } = error;
  const subject = describeSubject(error.keys);
  const alternatives = listAlternatives(error);
  if (isPathParameterRequirement(error)) return PATH_PARAMETER_IS_REQUIRED;
  switch (keyword) {
    case "type":
      if (value === null && name === "$ref")
        return "This `$ref` is empty. Write it in quotes, because YAML takes an unquoted `#` for the start of a comment.";
      if (typeof value === "string" && name === "$ref")
        return `${describeSubject(error.keys.slice(0, -1))} cannot be a reference. Write its members, which can be references.`;
      return "allowedValues" in params
        ? describeDisallowedValue(error, subject, version)
        : describeWrongType(error, subject);
    case "enum":
      return describeDisallowedValue(error, subject, version);
    case "const":
      return `${subject} must be ${JSON.stringify(params["allowedValue"])}, not ${describeValue(value)}.`;
    case "required": {
      if (!isMissingProperty(error)) return PATH_PARAMETER_IS_REQUIRED;
      const names = quoteNames(
        [error, ...others].map((each) => String(each.params["missingProperty"])).sort(),
      );
      return others.length === 0
        ? `The property ${names} is missing here. Add it.`
        : `The properties ${names} are missing here. Add them.`;
    }
    case "additionalProperties":
    case "unevaluatedProperties":
      return describeUnexpectedProperty(error, version);
    case "anyOf":
    case "oneOf":
      if (alternatives.length > 0)
        return `One of these properties is missing here: ${quoteNames(alternatives)}. ${suggestAlternative(alternatives, value)}`;
      return keyword === "oneOf" && toList(params["passing"]).length > 1
        ? describeExclusiveProperties(subject, value)
        : `${subject} fits none of the alternatives that OpenAPI allows here.`;
    case "not":
      return describeExclusiveProperties(subject, value);
    case "pattern":
      return `${subject} must match ${String(params["pattern"])}.`;
    case "propertyNames":
      return `The name ${JSON.stringify(params["propertyName"])} is not allowed here.${
        error.keys[0] === "components" ? " Use letters, digits, `.`, `-` and `_`." : ""
      }`;
    default: {
      const message = MESSAGES_BY_KEYWORD[keyword] ?? `is not allowed in this combination (${keyword}).`;
      return `${subject} ${message.replace("{limit}", String(params["limit"]))}`;
    }
  }
}

/** Messages about a value by keyword. They need no numbers for lengths, which the official schemas only limit to 1. */
const MESSAGES_BY_KEYWORD: Record<string, string> = {
  minimum: "must be at least {limit}.",
  exclusiveMinimum: "must be more than {limit}.",
  minItems: "must not be empty. Add an entry or remove it.",
  minProperties: "must not be empty. Add an entry or remove it.",
  maxProperties: "must have only one entry.",
  uniqueItems: "lists an item twice. Remove one.",
  "false schema": "is not allowed here.",
};

const PATH_PARAMETER_IS_REQUIRED = "A path parameter is always required. Write `required: true`.";

function describeWrongType(error: StructureError, subject: string): string {
  const { types, value } = error;
  if (value === null && types.includes("object"))
    return `${subject} has no value. Write its members below it, indented deeper, or remove it.`;
  const typeNames = types.map((type) => TYPE_NAMES[type] ?? type).join(" or ");
  return `${subject} must be ${typeNames}, not ${describeValue(value)}.${suggestForm(error)}`;
}

/** Returns the remedy for an object that has none of several properties. */
function suggestAlternative(alternatives: readonly string[], value: unknown): string {
  // A parameter or header has fewer properties, so other objects are not searched.
  const names = Object.keys(value ?? {}).slice(0, 20);
  for (const name of names) {
    const suggestion = suggestName(name, alternatives);
    if (suggestion !== undefined) return `Did you mean \`${suggestion}\` by \`${name}\`?`;
  }
  // A parameter of Swagger 2.0.
  return alternatives.includes("schema") && names.includes("type") ? "Write `type` in `schema`." : "Add one.";
}

/** Returns the known property that the author probably meant, or that should contain the unexpected property. */
export function suggestProperty(error: StructureError): string | undefined {
  const { params, unexpectedName } = error;
  if (isSchemaOutsideContent(error)) return "content";
  if (unexpectedName === undefined || getSwaggerRemedy(error) !== undefined) return undefined;
  const known = toList(params["known"]).map(String);
  // A keyword of earlier drafts of JSON Schema. OpenAPI 3.0 has neither of these.
  if (unexpectedName === "additionalItems" && known.includes("prefixItems")) return "items";
  return suggestName(unexpectedName, known);
}

/** Whether an error is about the `schema` of a request body or a response, as in Swagger 2.0. */
function isSchemaOutsideContent({ instancePath, unexpectedName }: StructureError): boolean {
  return (
    unexpectedName === "schema" &&
    /\/(responses\/[^/]+|requestBody|components\/requestBodies\/[^/]+)$/.test(instancePath)
  );
}

const SWAGGER_REMEDIES: Readonly<Record<string, string>> = {
  body: "Describe it in `requestBody`.",
  basePath: "Write it in the `url` of an entry in `servers`.",
  collectionFormat: "Write `style` and `explode` instead.",
  consumes: "Write each media type as a key of `content` in `requestBody`.",
  definitions: "Move the schemas to `components.schemas`.",
  host: "Write it in the `url` of an entry in `servers`.",
  produces: "Write each media type as a key of `content` in the responses.",
  schemes: "Write them in the `url` of the entries in `servers`.",
  securityDefinitions: "Move the schemes to `components.securitySchemes`.",
};

/** Returns the remedy for an unexpected member of Swagger 2.0; undefined for any other error. */
function getSwaggerRemedy({ kind, unexpectedName = "" }: StructureError): string | undefined {
  // A schema can have a property with such a name.
  const isKnown = kind !== "schema" && Object.hasOwn(SWAGGER_REMEDIES, unexpectedName);
  return isKnown ? SWAGGER_REMEDIES[unexpectedName] : undefined;
}

function describeUnexpectedProperty(error: StructureError, version: OpenApiVersion): string {
  const name = error.unexpectedName ?? "";
  const introduced = PROPERTIES_OF_3_1.has(name) ? "3.1" : PROPERTIES_OF_3_2.has(name) ? "3.2" : "3.0";
  if (version < introduced)
    return `Property \`${name}\` requires OpenAPI ${introduced}. Set \`openapi\` to ${introduced}.0.`;
  return `Property \`${name}\` is not expected here.${suggestPlace(error, name)}`;
}

/** Returns a sentence that says how or where to write an unexpected property, after a space; empty if that is unknown. */
function suggestPlace(error: StructureError, name: string): string {
  const { instancePath, keys, kind, value } = error;
  if (isSchemaOutsideContent(error)) return " Write it in `content`, below a media type.";
  const remedy = getSwaggerRemedy(error);
  if (remedy !== undefined) return ` ${remedy}`;
  if (isAssertion(name) && keys.at(-2) === "content") return " Write it in `schema`.";
  const isPathItem = keys.length === 2 && keys[0] === "paths";
  if (isPathItem && /^(operationId|requestBody|responses|security|tags)$/.test(name))
    return " Indent it deeper, so that it belongs to an operation such as `get`.";
  if (instancePath === "" && COMPONENT_SECTIONS.has(name)) return " Write it in `components`.";
  const suggestion = suggestProperty(error);
  if (suggestion !== undefined) return ` Did you mean \`${suggestion}\`?`;
  if (kind === "example") return " Write it in `value`.";
  const member = getOwnValue(value, name);
  const isSchema = ["type", "$ref"].some((key) => typeof getOwnValue(member, key) === "string");
  return isSchema && kind === "schema" ? " Write it in `properties`." : "";
}

const COMPONENT_SECTIONS = new Set(
  "schemas responses parameters examples requestBodies headers securitySchemes links callbacks".split(" "),
);

/** Properties that OpenAPI 3.1 introduced, except names that could be another mistake, such as `summary` and `examples`. */
const PROPERTIES_OF_3_1 = new Set(
  (
    "webhooks jsonSchemaDialect pathItems identifier $schema $id $anchor $dynamicAnchor $dynamicRef $defs $comment " +
    "const if then else prefixItems contains minContains maxContains patternProperties propertyNames " +
    "unevaluatedItems unevaluatedProperties dependentRequired dependentSchemas contentEncoding contentMediaType " +
    "contentSchema"
  ).split(" "),
);
/** Properties that OpenAPI 3.2 introduced, except `parent`, `kind` and `name`, which could be another mistake. */
const PROPERTIES_OF_3_2 = new Set(
  (
    "$self query additionalOperations mediaTypes itemSchema itemEncoding prefixEncoding dataValue serializedValue " +
    "defaultMapping nodeType deviceAuthorization oauth2MetadataUrl"
  ).split(" "),
);

const EXCLUSIVE_PROPERTIES = [
  ["example", "examples"],
  ["schema", "content"],
  ["value", "externalValue"],
] as const;

function describeExclusiveProperties(subject: string, value: unknown): string {
  const pair = EXCLUSIVE_PROPERTIES.find((names) =>
    names.every((name) => getOwnValue(value, name) !== undefined),
  );
  return pair
    ? `\`${pair[0]}\` and \`${pair[1]}\` exclude each other. Keep one.`
    : `${subject} has properties that exclude each other. Keep those of one alternative.`;
}

function describeDisallowedValue(
  { params, value }: StructureError,
  subject: string,
  version: OpenApiVersion,
): string {
  const allowed = toList(params["allowedValues"]).map(String);
  // The values of Swagger 2.0.
  if (allowed.includes("cookie") && (value === "body" || value === "formData"))
    return `A parameter cannot be in ${JSON.stringify(value)}. Describe the body in \`requestBody\`.`;
  return `${subject} must be one of ${quoteNames(allowed)}, not ${describeValue(value)}.${suggestValue(value, allowed, version)}`;
}

/** Returns a sentence with the value that was probably meant, after a space; empty if that is unknown. */
function suggestValue(value: unknown, allowed: readonly string[], version: OpenApiVersion): string {
  if (value === null && allowed.includes("null")) return ' Write "null" in quotes.';
  if (version === "3.0" && value === "null") return " In OpenAPI 3.0, write `nullable: true` beside a type.";
  // The names of types in a schema.
  if (version === "3.0" && Array.isArray(value) && allowed.includes("string"))
    return " Lists of types require OpenAPI 3.1. For a type with null, write `nullable: true`.";
  if (allowed.includes("openIdConnect") && (value === "bearer" || value === "basic"))
    return ` Write \`type: http\` with \`scheme: ${value}\`.`;
  if (typeof value !== "string") return "";
  const isSchemaType = allowed.includes("integer");
  const remedy = isSchemaType ? SCHEMA_TYPE_REMEDIES.get(value.toLowerCase()) : undefined;
  if (remedy !== undefined) return ` ${remedy}`;
  const items = isSchemaType ? suggestItems(value, allowed) : undefined;
  if (items !== undefined) return ` Write \`type: array\` with \`${items}\`.`;
  const suggestion = suggestName(value, allowed);
  if (suggestion !== undefined) return ` Did you mean \`${suggestion}\`?`;
  // The name of a component, or the path to it.
  const [, name] = (isSchemaType && /^(?:#\/components\/schemas\/)?([A-Z]\w*)$/.exec(value)) || [];
  return name === undefined ? "" : ` Write \`$ref: "#/components/schemas/${name}"\` instead of \`type\`.`;
}

/** Returns the `items` for a type of lists in the form of a programming language, such as `Order[]`; undefined for any other type. */
function suggestItems(value: string, types: readonly string[]): string | undefined {
  const [, element, argument] = /^(?:(\w+)\[\]|(?:array|list)<(\w+)>)$/i.exec(value) ?? [];
  const name = element ?? argument;
  if (name === undefined) return undefined;
  const word = name.toLowerCase();
  const type = types.includes(word) ? word : suggestName(word, types);
  if (type !== undefined) return `items: { type: ${type} }`;
  return /^[A-Z]/.test(name) && !SCHEMA_TYPE_REMEDIES.has(word)
    ? `items: { $ref: "#/components/schemas/${name}" }`
    : "items";
}

/** Remedies for words that are often written as the type of a schema, such as the names of formats. */
const SCHEMA_TYPE_REMEDIES = new Map<string, string>([
  ...["byte", "date", "date-time", "email", "uri", "uuid"].map((name) => describeFormat(name, "string")),
  ...["double", "float"].map((name) => describeFormat(name, "number")),
  ...["int32", "int64"].map((name) => describeFormat(name, "integer")),
  ...["binary", "file"].map((name) => describeFormat(name, "string", "binary")),
  describeFormat("datetime", "string", "date-time"),
  ...["dict", "map"].map((name) => [name, "Did you mean `object`?"] as const),
  ["list", "Did you mean `array`?"],
  ["any", "Remove `type` to allow any value."],
]);

function describeFormat(word: string, type: string, format = word): [word: string, remedy: string] {
  return [word, `Write \`type: ${type}\` with \`format: ${format}\`.`];
}

/** Returns the subject of a message: the last keys of a JSON pointer. */
function describeSubject(keys: readonly string[]): string {
  const [parent, last] = [keys.at(-2), keys.at(-1)];
  if (last === undefined) return "The document";
  return /^\d+$/.test(last) && parent !== undefined ? `\`${parent}[${last}]\`` : `\`${last}\``;
}

function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return "$ref" in value ? "a reference" : "an object";
  return JSON.stringify(value) ?? typeof value;
}

const TYPE_NAMES: Record<string, string> = {
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
  null: "null",
  number: "a number",
  object: "an object",
  string: "text",
};

function quoteNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
