import { RequestRefused } from "./errors.js";
import type { HttpParameter, ScalarType, WireShape } from "./types.js";

export type Values = Record<string, unknown>;

const NUMBER = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Types whose text has no comma. */
const PLAIN: ReadonlySet<string> = new Set(["number", "integer", "boolean", "numberOrBoolean"]);
/** Deeper nesting than any query has; what is built from it must not run out of stack. */
const MAX_DEPTH = 20;

/** The pairs of a query or a form, by name, their values still percent-encoded: delimiters are found before decoding. */
export class SentPairs {
  private readonly pairs = new Map<string, string[]>();

  constructor(text: string) {
    if (text === "") return;
    for (const pair of text.split("&")) {
      if (pair === "") continue;
      const equals = pair.indexOf("=");
      const name = decodeName(equals === -1 ? pair : pair.slice(0, equals));
      const value = equals === -1 ? "" : pair.slice(equals + 1);
      const known = this.pairs.get(name);
      if (known) known.push(value);
      else this.pairs.set(name, [value]);
    }
  }

  /** What was sent under a name, encoded; nothing when the name was not sent. */
  raw(name: string): readonly string[] {
    return this.pairs.get(name) ?? [];
  }

  /** What was sent under a name, decoded. */
  getAll(name: string): string[] {
    return this.raw(name).map((text) => safeDecode(text.replaceAll("+", " ")));
  }

  /** The names that something was sent under. */
  keys(): Iterable<string> {
    return this.pairs.keys();
  }
}

/**
 * The value of a query parameter, or of the field of a form, which is written the same way; undefined when it was not
 * sent.
 *
 * @param claimed names that belong to other parameters: an object whose members stand in the query by their own names
 *   takes what nothing else does
 * @throws RequestRefused when a single value was sent several times, or what was sent cannot be decoded
 */
export function decodeQueryParameter(
  parameter: HttpParameter,
  sent: SentPairs,
  claimed?: ReadonlySet<string>,
): unknown {
  const { name, style, type } = parameter;
  const all = sent.raw(name);
  if (style === "deepObject") {
    const nested = decodeDeep(parameter, sent);
    if (nested !== undefined || all.length === 0) return nested;
  }
  if (type === "object") return decodeQueryObject(parameter, sent, claimed);
  if (all.length === 0) return undefined;
  if (type !== "array") {
    const [text = ""] = once(parameter, all);
    if (text === "" && parameter.allowEmptyValue && type !== "string") {
      return type === "boolean" ? true : undefined;
    }
    return decodeText(parameter, decodeValue(parameter, text));
  }
  const decode = (text: string): string => decodeValue(parameter, text);
  const texts = isExploded(parameter) ? all : all.flatMap((text) => splitQuery(parameter, text));
  const [only] = texts;
  if (parameter.or !== undefined && texts.length === 1 && only !== undefined) {
    return scalar(parameter.or, decode(only));
  }
  return texts.map((text) => item(parameter, decode(text)));
}

/** The styles for spaces and pipes are there only where nothing is exploded. */
function isExploded({ style, explode }: HttpParameter): boolean {
  return explode || style === "deepObject";
}

function splitQuery({ style, type, itemType }: HttpParameter, text: string): string[] {
  if (text === "") return [];
  if (style === "spaceDelimited") return text.split(/%20|\+/);
  if (style === "pipeDelimited") return text.split(/\||%7C/i);
  return splitAtCommas(text, type === "array" ? itemType : undefined);
}

/**
 * Splits text that is still encoded: an encoded comma is part of a value. Where no value can have one, both are
 * delimiters; many clients encode it without need.
 */
function splitAtCommas(text: string, itemType: HttpParameter["itemType"]): string[] {
  return text.split(typeof itemType === "string" && PLAIN.has(itemType) ? /,|%2C/i : ",");
}

function decodeQueryObject(
  parameter: HttpParameter,
  sent: SentPairs,
  claimed: ReadonlySet<string> | undefined,
): unknown {
  const { name, properties = {}, or } = parameter;
  const all = sent.raw(name);
  const own = Object.hasOwn(properties, name);
  if (!isExploded(parameter)) {
    if (all.length === 0) return undefined;
    const [text = ""] = once(parameter, all);
    const parts = splitQuery(parameter, text);
    if (or !== undefined && parts.length === 1) return scalar(or, decodeValue(parameter, text));
    return fromPairs(parameter, inPairs(parts), (part) => decodeValue(parameter, part));
  }
  if (or !== undefined && all.length > 0 && !own) {
    return scalar(or, decodeValue(parameter, once(parameter, all)[0] ?? ""));
  }
  const values: Values = {};
  let found = false;
  for (const key of sent.keys()) {
    const declared = Object.hasOwn(properties, key);
    if (!declared && (parameter.open !== true || claimed?.has(key) === true)) continue;
    found = true;
    const texts = sent.raw(key).map((text) => decodeValue(parameter, text));
    const shape = declared ? properties[key] : parameter.itemType;
    const decoded = texts.map((text) => shaped(shape, text));
    define(values, key, decoded.length === 1 ? decoded[0] : decoded);
  }
  return found ? values : undefined;
}

const UNDECLARED: { properties: Readonly<Record<string, WireShape>>; rest: WireShape } = {
  properties: {},
  rest: "string",
};

/** What stands below a name in brackets. */
interface Nested {
  texts: string[];
  members: Map<string, Nested>;
}

/** `filter[color]=red&filter[tags][0]=a`: the form that most tools have for what OpenAPI leaves open, nesting. */
function decodeDeep(parameter: HttpParameter, sent: SentPairs): unknown {
  const { name } = parameter;
  const root: Nested = { texts: [], members: new Map() };
  for (const key of sent.keys()) {
    if (!key.startsWith(`${name}[`) || !key.endsWith("]")) continue;
    const steps = key.slice(name.length + 1, -1).split("][");
    if (steps.length > MAX_DEPTH) throw refused(parameter, `nested at most ${MAX_DEPTH} deep`, steps.length);
    let node = root;
    for (const step of steps) {
      const next = node.members.get(step) ?? { texts: [], members: new Map() };
      node.members.set(step, next);
      node = next;
    }
    node.texts.push(...sent.raw(key).map((text) => decodeValue(parameter, text)));
  }
  if (root.members.size === 0) return undefined;
  const { type, properties = {}, itemType: rest = "string" } = parameter;
  return fromNested(root, type === "array" ? { items: rest } : { properties, rest }, parameter);
}

function fromNested(node: Nested, shape: WireShape | undefined, parameter: HttpParameter): unknown {
  if (typeof shape === "object" && "items" in shape) {
    const members = [...node.members].sort(([a], [b]) => Number(a) - Number(b));
    return [
      ...node.texts.map((text) => shaped(shape.items, text)),
      // `[]` stands for one more each time that it is sent.
      ...members.flatMap(([key, member]) =>
        key === "" && member.members.size === 0
          ? member.texts.map((text) => shaped(shape.items, text))
          : [fromNested(member, shape.items, parameter)],
      ),
    ];
  }
  if (node.members.size === 0) {
    const [text = ""] = node.texts;
    if (node.texts.length > 1) throw refused(parameter, "sent once for each name", node.texts);
    return shaped(shape, text);
  }
  const { properties, rest } = typeof shape === "object" ? shape : UNDECLARED;
  const values: Values = {};
  for (const [key, member] of node.members) {
    define(
      values,
      key,
      fromNested(member, Object.hasOwn(properties, key) ? properties[key] : rest, parameter),
    );
  }
  return values;
}

/**
 * Decodes the text of a parameter that has it all in one piece, as headers and most of a path have it.
 *
 * @param parts the pieces between the delimiters, for a list or an object
 */
export function decodeParts(
  parameter: HttpParameter,
  parts: readonly string[],
  decode: (text: string) => string,
): unknown {
  if (parameter.or !== undefined && parts.length === 1) return scalar(parameter.or, decode(parts[0] ?? ""));
  if (parameter.type === "array") return parts.map((part) => item(parameter, decode(part)));
  return fromPairs(parameter, parameter.explode ? parts.map(atEquals) : inPairs(parts), decode);
}

/** The pieces of a list or an object as commas part them. */
export function commaParts(parameter: HttpParameter, text: string): string[] {
  return text === "" ? [] : splitAtCommas(text, parameter.type === "array" ? parameter.itemType : undefined);
}

/** Text that is neither a list nor an object: as its type says, or as it is when it is not of that type. */
export function decodeText(parameter: HttpParameter, text: string): unknown {
  if (parameter.type === "array" || parameter.type === "object") return text;
  if (parameter.type !== "json") return scalar(parameter.type, text);
  try {
    return JSON.parse(text);
  } catch {
    const place = placeOf(parameter);
    throw new RequestRefused(
      "invalid_value",
      `${place} failed validation: ${place}.${parameter.name} should be JSON.`,
    );
  }
}

/** `a=1`: the name and the value. */
export function atEquals(part: string): [name: string, value: string] {
  const equals = part.indexOf("=");
  return equals === -1 ? [part, ""] : [part.slice(0, equals), part.slice(equals + 1)];
}

/** `a,1,b,2`: each second one is the value of the one before it. */
function inPairs(parts: readonly string[]): [name: string, value: string][] {
  return parts.flatMap((part, index): [string, string][] =>
    index % 2 === 0 ? [[part, parts[index + 1] ?? ""]] : [],
  );
}

function fromPairs(
  parameter: HttpParameter,
  pairs: [name: string, value: string][],
  decode: (text: string) => string,
): Values {
  const { properties = {}, itemType } = parameter;
  const values: Values = {};
  for (const [encoded, text] of pairs) {
    const name = decode(encoded);
    define(values, name, shaped(Object.hasOwn(properties, name) ? properties[name] : itemType, decode(text)));
  }
  return values;
}

function item({ itemType }: HttpParameter, text: string): unknown {
  return shaped(itemType, text);
}

/** A list or an object inside of another has the form of JSON; what is none stays text, for the validator to judge. */
export function shaped(shape: WireShape | undefined, text: string): unknown {
  if (shape !== "json" && typeof shape !== "object") return scalar(shape, text);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Text as a value of a type; as it is when it is not of that type. */
export function scalar(type: ScalarType | undefined, text: string): unknown {
  if (type === "string" || type === undefined) return text;
  if (type === "boolean" || type === "numberOrBoolean") {
    if (text === "true") return true;
    if (text === "false") return false;
    if (type === "boolean") return text;
  }
  return NUMBER.test(text) ? Number(text) : text;
}

/** Sets an own property whatever its name: plain assignment to `__proto__` would change the prototype. */
export function define(target: Values, name: string, value: unknown): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Decodes percent-encoding; text whose percent signs are none of it stays as it is. */
export function safeDecode(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function decodeName(text: string): string {
  return safeDecode(text.includes("+") ? text.replaceAll("+", " ") : text);
}

/** Decodes a value of a query, strictly: bytes that are not UTF-8 would else become other text without a word. */
function decodeValue(parameter: HttpParameter, text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw refused(parameter, "percent-encoded UTF-8", text);
  }
}

/** A value that there is one of; many readers would take the first or the last without a word. */
function once(parameter: HttpParameter, texts: readonly string[]): readonly string[] {
  if (texts.length > 1) {
    throw refused(
      parameter,
      "sent once",
      texts.map((text) => safeDecode(text)),
    );
  }
  return texts;
}

function refused(parameter: HttpParameter, expected: string, seen: unknown): RequestRefused {
  const place = placeOf(parameter);
  const text = JSON.stringify(seen);
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return new RequestRefused(
    "invalid_value",
    `${place} failed validation: ${place}.${parameter.name} should be ${expected}, instead was \`${shown}\`.`,
  );
}

function placeOf(parameter: HttpParameter): string {
  return { path: "path", query: "query", header: "headers", cookie: "cookies", body: "body" }[parameter.in];
}
