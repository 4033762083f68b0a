import { escapePointer, getOwnValue, isObject } from "../../json.js";
import type { SchemaCheck, SchemaMistake } from "./schema-check.js";

/** Keywords with a lower and an upper limit of the same quantity. */
const LIMITS = [
  ["minimum", "maximum"],
  ["minimum", "exclusiveMaximum"],
  ["exclusiveMinimum", "maximum"],
  ["exclusiveMinimum", "exclusiveMaximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minContains", "maxContains"],
  ["minProperties", "maxProperties"],
] as const;

/** Checks, by the lower limit, for pairs of limits that no number, text, list or object can match. */
export const contradictoryLimits = LIMITS.map(([lower, upper]): [string, SchemaCheck] => [
  lower,
  ({ [lower]: minimum, [upper]: maximum }) => {
    if (typeof minimum !== "number" || typeof maximum !== "number" || minimum < maximum) return [];
    const isEqual = minimum === maximum;
    if (isEqual && !`${lower} ${upper}`.includes("exclusive")) return [];
    const relation = isEqual ? "equal to" : "greater than";
    return [createMistake(lower, `\`${lower}\` is ${relation} \`${upper}\`. Correct one of them.`)];
  },
]);

/** Finds patterns between slashes, such as `/^a$/i`. Nothing can precede the start of a text or follow its end. */
export const delimitedPattern: SchemaCheck = (schema) => {
  const pattern = getOwnValue(schema, "pattern");
  if (typeof pattern !== "string" || !/^\/\^|(?<!\\)\$\/[a-z]*$/.test(pattern)) return [];
  const message = "No text matches this pattern. Remove the slashes around it, and the flags after them.";
  return [createMistake("pattern", message)];
};

/** Keywords with a list that must not be empty. */
const NON_EMPTY_LISTS = ["allOf", "anyOf", "oneOf", "prefixItems", "enum"];

/** Checks, by their keyword, that remove lists without entries, which OpenAPI 3.0 allows. No value matches an empty `enum` or union. */
export const emptyLists = NON_EMPTY_LISTS.map((keyword): [string, SchemaCheck] => [
  keyword,
  (schema) => {
    const list = schema[keyword];
    if (!Array.isArray(list) || list.length > 0) return [];
    const mistake = createMistake(keyword, `\`${keyword}\` must not be empty. Add an entry or remove it.`);
    return [{ ...mistake, correct: () => delete schema[keyword] }];
  },
]);

/** Moves each `required: true` of a property, as in draft 3 of JSON Schema, to the list of the object, and removes `required: false`. */
export const booleanRequired: SchemaCheck = (schema) => {
  const { properties, required = [] } = schema;
  if (!isObject(properties) || !Array.isArray(required)) return [];
  const mistaken = Object.entries(properties).filter(
    ([, property]) => typeof getOwnValue(property, "required") === "boolean",
  );
  if (mistaken.length === 0) return [];
  const names = new Set(required);
  const completed = [...required];
  return mistaken.map(([name, property]): SchemaMistake => {
    const isRequired = getOwnValue(property, "required") === true;
    const message = `\`required\` must be a list, not ${isRequired}. It belongs to the object, and lists the names of its required properties.`;
    const correct = (): void => {
      if (isObject(property)) delete property.required;
      if (!isRequired || names.has(name)) return;
      completed.push(name);
      schema.required = completed;
    };
    return { ...createMistake(`properties/${escapePointer(name)}/required`, message), correct };
  });
};

/** The formats of JSON Schema and of OpenAPI's format registry whose names are often misspelt. */
const KNOWN_FORMATS = (
  "binary byte base64url date date-time date-time-local time time-local duration email idn-email hostname idn-hostname " +
  "ipv4 ipv6 uri uri-reference uri-template iri iri-reference json-pointer relative-json-pointer regex uuid password " +
  "float double int32 int64"
).split(" ");

const FORMATS_BY_LETTERS = new Map(KNOWN_FORMATS.map((format) => [toLetters(format), format]));

/** Finds names such as `datetime` and `UUID`. Any other unknown name is a format of the author's own. */
export const misspeltFormat: SchemaCheck = (schema) => {
  const format = getOwnValue(schema, "format");
  const known = typeof format === "string" ? FORMATS_BY_LETTERS.get(toLetters(format)) : undefined;
  if (known === undefined || known === format) return [];
  const problem = `The format ${JSON.stringify(format)} is unknown and has no effect.`;
  return [createMistake("format", `${problem} Did you mean \`${known}\`?`)];
};

/** Removes what is often written differently: letter case and separators. */
function toLetters(format: string): string {
  return format.toLowerCase().replace(/[-_ ]/g, "");
}

function createMistake(keyword: string, message: string): SchemaMistake {
  return { relativePointer: `/${keyword}`, describe: () => message };
}
