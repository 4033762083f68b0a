import { ownValue, parsePointer } from "../pointer.js";
import { alternativesOf, unexpectedName, type ValidationError } from "./errors.js";
import { suggestName } from "./suggest.js";

/** Words a structural error for the author of the document. */
export function messageFor(error: ValidationError, value: unknown): string {
  const { keyword, params } = error;
  const subject = subjectOf(error.instancePath);
  const alternatives = alternativesOf(error);
  switch (keyword) {
    case "type":
      return `${subject} must be ${typeNames([params["type"]].flat().map(String))}, not ${describe(value)}.`;
    case "enum":
      return mustBeOneOf(subject, listOf(params["allowedValues"]), value);
    case "const":
      return `${subject} must be ${JSON.stringify(params["allowedValue"])}, not ${describe(value)}.`;
    case "required":
      return `The property \`${String(params["missingProperty"])}\` is missing here. Add it.`;
    case "additionalProperties":
    case "unevaluatedProperties":
      return notExpected(error);
    case "anyOf":
    case "oneOf":
      if (alternatives.length > 0)
        return `One of these properties is missing here: ${quoted(alternatives)}. Add one.`;
      return keyword === "oneOf" && listOf(params["passing"]).length > 1
        ? excludeEachOther(subject, value)
        : `${subject} fits none of the alternatives that OpenAPI allows here.`;
    case "not":
      return excludeEachOther(subject, value);
    case "minimum":
      return `${subject} must be at least ${String(params["limit"])}.`;
    case "minItems":
    case "minLength":
    case "minProperties":
      return params["limit"] === 1
        ? `${subject} must not be empty.`
        : `${subject} must have at least ${String(params["limit"])}${unitOf(keyword)}.`;
    case "maxItems":
    case "maxProperties":
      return params["limit"] === 1
        ? `${subject} must have only one entry.`
        : `${subject} must have at most ${String(params["limit"])}${unitOf(keyword)}.`;
    case "exclusiveMinimum":
      return `${subject} must be more than ${String(params["limit"])}.`;
    case "uniqueItems":
      return `${subject} lists an item twice. Remove one.`;
    case "pattern":
      return `${subject} must match ${String(params["pattern"])}.`;
    case "propertyNames":
      return `The name ${JSON.stringify(params["propertyName"])} is not allowed here.`;
    case "false schema":
      return `${subject} is not allowed here.`;
    default:
      return `${subject} is not allowed in this combination (${keyword}).`;
  }
}

/** The property that an unexpected one is probably a misspelling of. */
export function suggestionFor(error: ValidationError): string | undefined {
  const name = unexpectedName(error);
  return name === undefined ? undefined : suggestName(name, listOf(error.params["known"]).map(String));
}

function notExpected(error: ValidationError): string {
  const suggestion = suggestionFor(error);
  const remedy = suggestion === undefined ? "" : ` Did you mean \`${suggestion}\`?`;
  return `Property \`${unexpectedName(error) ?? ""}\` is not expected here.${remedy}`;
}

/** Properties that exclude each other, in pairs. */
const EXCLUSIVE = [
  ["example", "examples"],
  ["schema", "content"],
  ["value", "externalValue"],
] as const;

function excludeEachOther(subject: string, value: unknown): string {
  const pair = EXCLUSIVE.find((names) => names.every((name) => ownValue(value, name) !== undefined));
  return pair
    ? `\`${pair[0]}\` and \`${pair[1]}\` exclude each other. Keep one.`
    : `${subject} has properties that exclude each other. Keep those of one alternative.`;
}

function mustBeOneOf(subject: string, allowed: readonly unknown[], value: unknown): string {
  const names = allowed.map(String);
  const suggestion = typeof value === "string" ? suggestName(value, names) : undefined;
  const remedy = suggestion === undefined ? "" : ` Did you mean \`${suggestion}\`?`;
  return `${subject} must be one of ${quoted(names)}, not ${describe(value)}.${remedy}`;
}

/** The member that an error is about, by the last keys of its pointer. */
function subjectOf(pointer: string): string {
  const keys = parsePointer(pointer);
  const last = keys.at(-1);
  if (last === undefined) return "The document";
  const parent = keys.at(-2);
  return /^\d+$/.test(last) && parent !== undefined ? `\`${parent}[${last}]\`` : `\`${last}\``;
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (value === undefined) return "missing";
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

function typeNames(types: readonly string[]): string {
  return types.map((type) => TYPE_NAMES[type] ?? type).join(" or ");
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function unitOf(keyword: string): string {
  if (keyword.endsWith("Items")) return " items";
  if (keyword.endsWith("Properties")) return " properties";
  return keyword.endsWith("Length") ? " characters" : "";
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
