import { InvalidRequestError } from "./errors.js";
import type { HttpParameter, ScalarType, WireShape } from "./types.js";

export type Values = Record<string, unknown>;

const NUMBER = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Types whose text contains no comma. */
const TYPES_WITHOUT_COMMA: ReadonlySet<string> = new Set(["number", "integer", "boolean", "numberOrBoolean"]);
/** Maximum nesting of a query, so that recursive functions do not overflow the stack. */
const MAX_DEPTH = 20;

/** Name-value pairs of a query or form. Values stay percent-encoded, because lists are split before decoding. */
export class EncodedPairs {
  private readonly pairs = new Map<string, string[]>();

  constructor(text: string) {
    if (text === "") return;
    for (const pair of text.split("&")) {
      if (pair === "") continue;
      const equals = pair.indexOf("=");
      const name = decodeName(equals === -1 ? pair : pair.slice(0, equals));
      const value = equals === -1 ? "" : pair.slice(equals + 1);
      const values = this.pairs.get(name);
      if (values) values.push(value);
      else this.pairs.set(name, [value]);
    }
  }

  /** Returns the encoded values of a name; empty if the name was not sent. */
  getEncoded(name: string): readonly string[] {
    return this.pairs.get(name) ?? [];
  }

  /** Returns the decoded values of a name. */
  getAll(name: string): string[] {
    return this.getEncoded(name).map((text) => decodeLeniently(text.replaceAll("+", " ")));
  }

  /** Returns the names that were sent. */
  keys(): Iterable<string> {
    return this.pairs.keys();
  }
}

/**
 * Decodes a query parameter, or a form field, which has the same notation. Returns undefined if it was not sent.
 *
 * @param reservedNames names of other parameters, which are not read as additional members of an exploded object
 * @throws InvalidRequestError when a single value was sent several times, or a value cannot be decoded
 */
export function decodeQueryParameter(
  parameter: HttpParameter,
  sent: EncodedPairs,
  reservedNames?: ReadonlySet<string>,
): unknown {
  const { name, style, type } = parameter;
  const encodedValues = sent.getEncoded(name);
  if (style === "deepObject") {
    const nested = decodeDeepObject(parameter, sent);
    if (nested !== undefined || encodedValues.length === 0) return nested;
  }
  if (type === "object") return decodeQueryObject(parameter, sent, reservedNames);
  if (encodedValues.length === 0) return undefined;
  if (type !== "array") {
    const [text = ""] = requireSingle(parameter, encodedValues);
    if (text === "" && parameter.allowEmptyValue && type !== "string") {
      return type === "boolean" ? true : undefined;
    }
    return decodeText(parameter, decodeQueryValue(parameter, text));
  }
  const decode = (text: string): string => decodeQueryValue(parameter, text);
  const texts = isExploded(parameter)
    ? encodedValues
    : encodedValues.flatMap((text) => splitQueryValue(parameter, text));
  const [only] = texts;
  if (parameter.scalarType !== undefined && texts.length === 1 && only !== undefined) {
    return decodeScalar(parameter.scalarType, decode(only));
  }
  return texts.map((text) => decodeListItem(parameter, decode(text)));
}

/** Whether each item or member is sent as a separate name-value pair, instead of all in one delimited text. */
function isExploded({ style, explode }: HttpParameter): boolean {
  return explode || style === "deepObject";
}

function splitQueryValue({ style, type, itemType }: HttpParameter, text: string): string[] {
  if (text === "") return [];
  if (style === "spaceDelimited") return text.split(/%20|\+/);
  if (style === "pipeDelimited") return text.split(/\||%7C/i);
  return splitAtCommas(text, type === "array" ? itemType : undefined);
}

/**
 * Splits encoded text at commas. An encoded comma is a delimiter only if the values cannot contain commas, because many
 * clients encode delimiters needlessly.
 */
function splitAtCommas(text: string, itemType: HttpParameter["itemType"]): string[] {
  return text.split(typeof itemType === "string" && TYPES_WITHOUT_COMMA.has(itemType) ? /,|%2C/i : ",");
}

function decodeQueryObject(
  parameter: HttpParameter,
  sent: EncodedPairs,
  reservedNames: ReadonlySet<string> | undefined,
): unknown {
  const { name, properties = {}, scalarType } = parameter;
  const encodedValues = sent.getEncoded(name);
  const hasPropertyWithOwnName = Object.hasOwn(properties, name);
  if (!isExploded(parameter)) {
    if (encodedValues.length === 0) return undefined;
    const [text = ""] = requireSingle(parameter, encodedValues);
    const parts = splitQueryValue(parameter, text);
    if (scalarType !== undefined && parts.length === 1)
      return decodeScalar(scalarType, decodeQueryValue(parameter, text));
    return decodePairs(parameter, groupPairs(parts), (part) => decodeQueryValue(parameter, part));
  }
  if (scalarType !== undefined && encodedValues.length > 0 && !hasPropertyWithOwnName) {
    return decodeScalar(
      scalarType,
      decodeQueryValue(parameter, requireSingle(parameter, encodedValues)[0] ?? ""),
    );
  }
  const values: Values = {};
  let found = false;
  for (const key of sent.keys()) {
    const declared = Object.hasOwn(properties, key);
    if (!declared && (parameter.additionalProperties !== true || reservedNames?.has(key) === true)) continue;
    found = true;
    const texts = sent.getEncoded(key).map((text) => decodeQueryValue(parameter, text));
    const shape = declared ? properties[key] : parameter.itemType;
    const decoded = texts.map((text) => decodeShape(shape, text));
    setOwn(values, key, decoded.length === 1 ? decoded[0] : decoded);
  }
  return found ? values : undefined;
}

const UNDECLARED_SHAPE: { properties: Readonly<Record<string, WireShape>>; rest: WireShape } = {
  properties: {},
  rest: "string",
};

/** A node of the tree that parameter names with brackets form, such as `filter[color]`. */
interface BracketNode {
  texts: string[];
  members: Map<string, BracketNode>;
}

/** Decodes `filter[color]=red&filter[tags][0]=a`. OpenAPI does not define nesting; this notation is widely used. */
function decodeDeepObject(parameter: HttpParameter, sent: EncodedPairs): unknown {
  const { name } = parameter;
  const root: BracketNode = { texts: [], members: new Map() };
  for (const key of sent.keys()) {
    if (!key.startsWith(`${name}[`) || !key.endsWith("]")) continue;
    const segments = key.slice(name.length + 1, -1).split("][");
    if (segments.length > MAX_DEPTH)
      throw createParameterError(parameter, `nested at most ${MAX_DEPTH} deep`, segments.length);
    let node = root;
    for (const segment of segments) {
      const next = node.members.get(segment) ?? { texts: [], members: new Map() };
      node.members.set(segment, next);
      node = next;
    }
    node.texts.push(...sent.getEncoded(key).map((text) => decodeQueryValue(parameter, text)));
  }
  if (root.members.size === 0) return undefined;
  const { type, properties = {}, itemType: rest = "string" } = parameter;
  return decodeNested(root, type === "array" ? { items: rest } : { properties, rest }, parameter);
}

function decodeNested(node: BracketNode, shape: WireShape | undefined, parameter: HttpParameter): unknown {
  if (typeof shape === "object" && "items" in shape) {
    const members = [...node.members].sort(([a], [b]) => Number(a) - Number(b));
    return [
      ...node.texts.map((text) => decodeShape(shape.items, text)),
      // Each `[]` adds an item.
      ...members.flatMap(([key, member]) =>
        key === "" && member.members.size === 0
          ? member.texts.map((text) => decodeShape(shape.items, text))
          : [decodeNested(member, shape.items, parameter)],
      ),
    ];
  }
  if (node.members.size === 0) {
    const [text = ""] = node.texts;
    if (node.texts.length > 1) throw createParameterError(parameter, "sent once for each name", node.texts);
    return decodeShape(shape, text);
  }
  const { properties, rest } = typeof shape === "object" ? shape : UNDECLARED_SHAPE;
  const values: Values = {};
  for (const [key, member] of node.members) {
    setOwn(
      values,
      key,
      decodeNested(member, Object.hasOwn(properties, key) ? properties[key] : rest, parameter),
    );
  }
  return values;
}

/**
 * Decodes a list or an object from the parts of one text, e.g. of a header or a path segment.
 *
 * @param parts texts between the delimiters
 */
export function decodeParts(
  parameter: HttpParameter,
  parts: readonly string[],
  decode: (text: string) => string,
): unknown {
  if (parameter.scalarType !== undefined && parts.length === 1)
    return decodeScalar(parameter.scalarType, decode(parts[0] ?? ""));
  if (parameter.type === "array") return parts.map((part) => decodeListItem(parameter, decode(part)));
  return decodePairs(parameter, parameter.explode ? parts.map(splitPair) : groupPairs(parts), decode);
}

/** Splits a list or an object at commas. */
export function splitCommaList(parameter: HttpParameter, text: string): string[] {
  return text === "" ? [] : splitAtCommas(text, parameter.type === "array" ? parameter.itemType : undefined);
}

/** Decodes a scalar or JSON parameter. Text that is not of the declared scalar type is returned unchanged. */
export function decodeText(parameter: HttpParameter, text: string): unknown {
  if (parameter.type === "array" || parameter.type === "object") return text;
  if (parameter.type !== "json") return decodeScalar(parameter.type, text);
  try {
    return JSON.parse(text);
  } catch {
    const location = formatLocation(parameter);
    throw new InvalidRequestError(
      "invalid_value",
      `${location} failed validation: ${location}.${parameter.name} should be JSON.`,
    );
  }
}

/** Splits `a=1` into name and value. */
export function splitPair(part: string): [name: string, value: string] {
  const equals = part.indexOf("=");
  return equals === -1 ? [part, ""] : [part.slice(0, equals), part.slice(equals + 1)];
}

/** Groups `a,1,b,2` into pairs of name and value. */
function groupPairs(parts: readonly string[]): [name: string, value: string][] {
  return parts.flatMap((part, index): [string, string][] =>
    index % 2 === 0 ? [[part, parts[index + 1] ?? ""]] : [],
  );
}

function decodePairs(
  parameter: HttpParameter,
  pairs: [name: string, value: string][],
  decode: (text: string) => string,
): Values {
  const { properties = {}, itemType } = parameter;
  const values: Values = {};
  for (const [encoded, text] of pairs) {
    const name = decode(encoded);
    setOwn(
      values,
      name,
      decodeShape(Object.hasOwn(properties, name) ? properties[name] : itemType, decode(text)),
    );
  }
  return values;
}

function decodeListItem({ itemType }: HttpParameter, text: string): unknown {
  return decodeShape(itemType, text);
}

/** Decodes an item or member. Nested lists and objects are JSON. Invalid JSON is returned as text for the validator. */
export function decodeShape(shape: WireShape | undefined, text: string): unknown {
  if (shape !== "json" && typeof shape !== "object") return decodeScalar(shape, text);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Decodes a scalar. Text that is not of the type is returned unchanged. */
export function decodeScalar(type: ScalarType | undefined, text: string): unknown {
  if (type === "string" || type === undefined) return text;
  if (type === "boolean" || type === "numberOrBoolean") {
    if (text === "true") return true;
    if (text === "false") return false;
    if (type === "boolean") return text;
  }
  return NUMBER.test(text) ? Number(text) : text;
}

/** Sets an own property of any name. Assigning to `__proto__` would change the prototype. */
export function setOwn(target: Values, name: string, value: unknown): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Decodes percent-encoding. Text that is not valid percent-encoding is returned unchanged. */
export function decodeLeniently(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function decodeName(text: string): string {
  return decodeLeniently(text.includes("+") ? text.replaceAll("+", " ") : text);
}

/** Decodes a query value. Throws for invalid UTF-8, because the value would silently stay encoded otherwise. */
function decodeQueryValue(parameter: HttpParameter, text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw createParameterError(parameter, "percent-encoded UTF-8", text);
  }
}

/** Throws if a parameter with a single value was sent several times, instead of choosing one of the values. */
function requireSingle(parameter: HttpParameter, texts: readonly string[]): readonly string[] {
  if (texts.length > 1) {
    throw createParameterError(
      parameter,
      "sent once",
      texts.map((text) => decodeLeniently(text)),
    );
  }
  return texts;
}

function createParameterError(
  parameter: HttpParameter,
  expected: string,
  actual: unknown,
): InvalidRequestError {
  const location = formatLocation(parameter);
  const text = JSON.stringify(actual);
  const preview = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return new InvalidRequestError(
    "invalid_value",
    `${location} failed validation: ${location}.${parameter.name} should be ${expected}, instead was \`${preview}\`.`,
  );
}

function formatLocation(parameter: HttpParameter): string {
  return { path: "path", query: "query", header: "headers", cookie: "cookies", body: "body" }[parameter.in];
}
