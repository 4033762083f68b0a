import { InvalidRequestError, shorten } from "../errors.js";
import type { FieldType, HttpParameter, JsonOrScalar, ListType, ObjectType, ScalarType } from "../types.js";

/** Decoded values by name. */
export type Values = Record<string, unknown>;

/** The locations of parameters, in the order in which their errors are reported. */
export const LOCATIONS = ["path", "query", "header", "cookie"] as const;

/** The parts of a request that have the parameters and form fields of a location. */
export const PARTS_BY_LOCATION = {
  path: "path",
  query: "query",
  header: "headers",
  cookie: "cookies",
  body: "body",
} as const;

/** A parameter, or a field of a form, which has the notation of a query parameter. */
export type ParameterOrField = Omit<HttpParameter, "in"> & { readonly in: keyof typeof PARTS_BY_LOCATION };

const NUMBER = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Types whose text contains no comma. */
const TYPES_WITHOUT_COMMA: ReadonlySet<string> = new Set(["number", "integer", "boolean", "numberOrBoolean"]);

export function isListType(type: FieldType | undefined): type is ListType {
  return typeof type === "object" && "items" in type;
}

export function isObjectType(type: FieldType | undefined): type is ObjectType {
  return typeof type === "object" && "properties" in type;
}

export function isJsonOrScalar(type: FieldType | undefined): type is JsonOrScalar {
  return typeof type === "object" && "jsonOr" in type;
}

/** Returns the type of a property, which can be undeclared; undefined if the object has no such property. */
export function getPropertyType(
  { properties, additionalProperties }: ObjectType,
  name: string,
): FieldType | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
}

/** Converts the text of a scalar or JSON parameter. Text that is not of the declared scalar type is returned unchanged. */
export function convertText(parameter: ParameterOrField, text: string): unknown {
  const { type } = parameter;
  if (typeof type === "object") return text;
  if (type !== "json") return convertScalar(type, text);
  try {
    return JSON.parse(text);
  } catch {
    throw createParameterError(parameter, "JSON");
  }
}

/**
 * Decodes a list or an object from the parts of one text, e.g. of a header or a path segment.
 *
 * @param parts texts between the delimiters
 * @param decode removes the encoding of a part, e.g. percent-encoding
 */
export function decodeParts(
  type: ListType | ObjectType,
  explode: boolean,
  parts: readonly string[],
  decode: (text: string) => string,
): unknown {
  const { scalarType } = type;
  const [first = ""] = parts;
  const isMember = isObjectType(type) && explode && first.includes("=");
  if (scalarType !== undefined && parts.length === 1 && !isMember)
    return convertScalar(scalarType, decode(first));
  if (isListType(type)) {
    const { items, prefixItems = [] } = type;
    return parts.map((part, index) => convertValue(prefixItems[index] ?? items, decode(part)));
  }
  const values: Values = {};
  for (const [encodedName, text] of explode ? parts.map(splitPair) : groupPairs(parts)) {
    const name = decode(encodedName);
    setOwn(values, name, convertRepeated(getPropertyType(type, name), [decode(text)]));
  }
  return values;
}

/** Converts the text of an item or member. Nested lists and objects are JSON. Any other text stays for the validator. */
export function convertValue(type: FieldType | undefined, text: string): unknown {
  if (type !== "json" && typeof type !== "object") return convertScalar(type, text);
  try {
    const value: unknown = JSON.parse(text);
    // Beside a list or an object, the schema can allow texts that look like scalars in JSON.
    const isNested = isListType(type) ? Array.isArray(value) : typeof value === "object" && value !== null;
    if (type === "json" || isNested) return value;
  } catch {
    // The text is not JSON.
  }
  if (type === "json") return text;
  return convertScalar(isJsonOrScalar(type) ? type.jsonOr : type.scalarType, text);
}

/** Converts the texts of a member that can be sent several times. The JSON of a list stands for all its items. */
export function convertRepeated(type: FieldType | undefined, texts: readonly string[]): unknown {
  const [only = ""] = texts;
  if (texts.length === 1) {
    const value = convertValue(type, only);
    if (!isListType(type) || type.scalarType !== undefined || Array.isArray(value)) return value;
  }
  return texts.map((text) => convertValue(isListType(type) ? type.items : type, text));
}

/** Converts the text of a scalar. Text that is not of the type is returned unchanged. */
export function convertScalar(type: ScalarType | undefined, text: string): unknown {
  if (type === "string" || type === undefined) return text;
  if (type === "boolean" || type === "numberOrBoolean") {
    if (text === "true") return true;
    if (text === "false") return false;
    if (type === "boolean") return text;
  }
  if (!NUMBER.test(text)) return text;
  const number = Number(text);
  return type !== "number" && isRounded(text, number) ? text : number;
}

/** Whether a number differs from the integer of a text, because JavaScript's numbers have 53 bits. */
function isRounded(text: string, number: number): boolean {
  if (!Number.isInteger(number) || Number.isSafeInteger(number) || !/^-?\d+$/.test(text)) return false;
  // JavaScript writes 2 ** 60 as 1152921504606847000, and other languages write all its digits.
  return text !== String(number) && text !== String(BigInt(number));
}

/**
 * Splits the encoded text of a list or an object at commas. An encoded comma is a delimiter only if the values cannot
 * contain commas, because many clients encode delimiters needlessly.
 */
export function splitAtCommas(type: ListType | ObjectType, text: string): string[] {
  if (text === "") return [];
  const hasNoCommas =
    isListType(type) &&
    [type.items, ...(type.prefixItems ?? []), type.scalarType].every(
      (each) => each === undefined || (typeof each === "string" && TYPES_WITHOUT_COMMA.has(each)),
    );
  return text.split(hasNoCommas ? /,|%2C/i : ",");
}

/** Splits `a=1` into name and value. */
export function splitPair(pair: string): [name: string, value: string] {
  const equals = pair.indexOf("=");
  return equals === -1 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
}

/** Groups `a,1,b,2` into pairs of name and value. */
function groupPairs(parts: readonly string[]): [name: string, value: string][] {
  return parts.flatMap((part, index): [string, string][] =>
    index % 2 === 0 ? [[part, parts[index + 1] ?? ""]] : [],
  );
}

/** Groups the values of pairs by name, in the order of the pairs. */
export function groupByName(pairs: readonly [name: string, value: string][]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = groups.get(name);
    if (values) values.push(value);
    else groups.set(name, [value]);
  }
  return groups;
}

/** Sets an own property of any name. Assigning to `__proto__` would change the prototype. */
export function setOwn(target: Values, name: string, value: unknown): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Decodes percent-encoding. Text that is not valid percent-encoding is returned unchanged. */
export function decodePercentLeniently(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Creates the error for a parameter or form field with an invalid value.
 *
 * @param actual the value that was sent; the message does not show it when omitted
 */
export function createParameterError(
  { in: location, name }: Pick<ParameterOrField, "in" | "name">,
  expected: string,
  actual?: unknown,
): InvalidRequestError {
  const part = PARTS_BY_LOCATION[location];
  const actualText = actual === undefined ? "" : `, instead was \`${shorten(JSON.stringify(actual))}\``;
  return new InvalidRequestError(
    "invalid_value",
    `${part} failed validation: ${part}.${name} should be ${expected}${actualText}.`,
  );
}
