import { decodeDeepObject } from "./deep-object.js";
import {
  createParameterError,
  decodePercentLeniently,
  decodeParts,
  convertScalar,
  convertRepeated,
  convertText,
  getPropertyType,
  groupByName,
  isListType,
  isObjectType,
  type ParameterOrField,
  setOwn,
  splitAtCommas,
  splitPair,
  type Values,
} from "./text-values.js";
import type { HttpField, HttpParameter, ListType, ObjectType } from "../types.js";

/** The values of a query or form by decoded name. Values stay percent-encoded, because lists are split before decoding. */
export type EncodedPairs = ReadonlyMap<string, readonly string[]>;

/** Parses the name-value pairs of a query or form. */
export function parsePairs(text: string): EncodedPairs {
  const pairs = text.split("&").filter((pair) => pair !== "");
  return groupByName(
    pairs.map((pair) => {
      const [name, value] = splitPair(pair);
      return [decodeFormTextLeniently(name), value];
    }),
  );
}

/** Names that belong to declared parameters or form fields, so that they are no undeclared members of an exploded object. */
export interface ReservedNames {
  /** Names of parameters and fields, and of the members of exploded objects. */
  names: ReadonlySet<string>;
  /** `name[` for each parameter or field of the style deepObject. */
  prefixes: readonly string[];
}

/** Lists the names that belong to declared parameters or form fields. */
export function listReservedNames(declared: readonly (HttpParameter | HttpField)[]): ReservedNames {
  const names = declared.flatMap(({ name, style, explode = true, type }) =>
    isObjectType(type) && explode && style !== "deepObject"
      ? [name, ...Object.keys(type.properties)]
      : [name],
  );
  const nested = declared.filter(({ style }) => style === "deepObject");
  return { names: new Set(names), prefixes: nested.map(({ name }) => `${name}[`) };
}

/** Whether a sent name belongs to a declared parameter or form field. */
export function isReserved(name: string, { names, prefixes }: ReservedNames): boolean {
  return names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

/** Decodes a name or value; text that is not valid UTF-8 stays encoded. */
export function decodeFormTextLeniently(text: string): string {
  return decodePercentLeniently(decodePluses(text));
}

/**
 * Decodes a query parameter, or a form field, which has the same notation. Returns undefined if it was not sent.
 *
 * @param reservedNames result of listReservedNames
 * @throws InvalidRequestError when a single value was sent several times, or a value cannot be decoded
 */
export function decodeQueryParameter(
  parameter: ParameterOrField,
  sent: EncodedPairs,
  reservedNames: ReservedNames,
): unknown {
  const { name, style, type } = parameter;
  const encodedValues = sent.get(name) ?? [];
  const decode = (text: string): string => decodeFormText(parameter, text);
  if (style === "deepObject") {
    const nested = decodeDeepObject(parameter, sent, decode);
    if (nested !== undefined || encodedValues.length === 0) return nested;
  }
  const isExploded = parameter.explode || style === "deepObject";
  if (isObjectType(type) && isExploded)
    return decodeExplodedObject(parameter, type, sent, decode, reservedNames);
  if (encodedValues.length === 0) return undefined;
  if (isListType(type)) {
    const parts = isExploded ? encodedValues : encodedValues.flatMap((text) => splitList(style, type, text));
    return decodeParts(type, isExploded, parts, decode);
  }
  const text = requireSingle(parameter, encodedValues);
  if (isObjectType(type)) return decodeParts(type, false, splitList(style, type, text), decode);
  // `?flag=` means true. An empty value of another type counts as not sent.
  if (text === "" && parameter.allowEmptyValue && type !== "string")
    return type === "boolean" ? true : undefined;
  return convertText(parameter, decode(text));
}

/** Decodes an object whose members are separate pairs. Returns undefined if none of them was sent. */
function decodeExplodedObject(
  parameter: ParameterOrField,
  type: ObjectType,
  sent: EncodedPairs,
  decode: (text: string) => string,
  reservedNames: ReservedNames,
): unknown {
  const { name } = parameter;
  const { properties, additionalProperties, scalarType } = type;
  const sentValues = sent.get(name) ?? [];
  if (scalarType !== undefined && sentValues.length > 0 && !Object.hasOwn(properties, name))
    return convertScalar(scalarType, decode(requireSingle(parameter, sentValues)));
  const members = [...sent].filter(
    ([key]) =>
      Object.hasOwn(properties, key) ||
      (additionalProperties !== undefined && !isReserved(key, reservedNames)),
  );
  if (members.length === 0) return undefined;
  const values: Values = {};
  for (const [key, texts] of members) {
    setOwn(values, key, convertRepeated(getPropertyType(type, key), texts.map(decode)));
  }
  return values;
}

/** Splits the encoded text of a list or an object at the delimiters of its style. */
function splitList(style: string, type: ListType | ObjectType, text: string): string[] {
  if (text === "") return [];
  if (style === "spaceDelimited") return text.split(/%20|\+/);
  if (style === "pipeDelimited") return text.split(/\||%7C/i);
  return splitAtCommas(type, text);
}

/** Decodes percent-encoding and plus signs. Throws for invalid UTF-8, because the value would silently stay encoded otherwise. */
function decodeFormText(parameter: ParameterOrField, text: string): string {
  try {
    return decodeURIComponent(decodePluses(text));
  } catch {
    throw createParameterError(parameter, "percent-encoded UTF-8", text);
  }
}

/** Replaces each plus sign by the space that it stands for in queries and forms. */
function decodePluses(text: string): string {
  return text.replaceAll("+", " ");
}

/** Throws if a parameter with a single value was sent several times, instead of choosing one of the values. */
function requireSingle(parameter: ParameterOrField, texts: readonly string[]): string {
  if (texts.length > 1) throw createParameterError(parameter, "sent once", texts.map(decodePercentLeniently));
  return texts[0] ?? "";
}
