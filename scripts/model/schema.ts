import type { JsonObject, JsonValue, ScalarType, WireShape, WireType } from "./model.js";
import { type Node, child, deref, entries, isObject, items } from "./node.js";

const TYPES = ["string", "number", "integer", "boolean", "array", "object"] as const;
type Type = (typeof TYPES)[number];

/** Composition this deep is more than any parameter has; a cycle ends there too. */
const MAX_DEPTH = 10;
/** Shapes that one parameter is described by; schemas that refer to one another could have billions. */
const MAX_SHAPES = 500;
/** Texts that a number may have: where a string cannot be any of them, a number is never taken for one. */
const NUMERALS = ["0", "1", "-1", "7", "42", "3.5", "100", "12345", "1700000000"];
/** Formats of text that no number and no boolean has. */
const WORDED = new Set(
  "date date-time time duration uuid email idn-email ipv4 ipv6 uri url iri binary".split(" "),
);

/** How far the shapes of a parameter go: levels, and how many more of them there may be. */
interface Reach {
  depth: number;
  budget: { left: number };
}

/** What a schema allows, as far as the text of its values is concerned. */
interface Allowed {
  types: Set<Type>;
  /** Whether a text that reads as a number, or as a boolean, may be meant as text. */
  numerals: boolean;
  booleans: boolean;
}

/**
 * How text on the wire (a parameter, a header) becomes a value for this schema. What allows text and a number reads as
 * text, unless its text is never one that a number has; a schema that says nothing about its type reads as text, too.
 */
export function wireType(document: JsonObject, schema: Node | undefined): Exclude<WireType, "json"> {
  const allowed = allow(document, schema);
  if (allowed.types.has("array")) return "array";
  return allowed.types.has("object") ? "object" : scalarOf(allowed);
}

/** Type of the one value that a schema allows in place of an array or an object; undefined when it allows none. */
export function alternativeType(document: JsonObject, schema: Node | undefined): ScalarType | undefined {
  const allowed = allow(document, schema);
  const composed = allowed.types.has("array") || allowed.types.has("object");
  const scalar = [...allowed.types].some((type) => type !== "array" && type !== "object");
  return composed && scalar ? scalarOf(allowed) : undefined;
}

/** Type of the items of an array schema, for headers: a scalar. */
export function itemType(document: JsonObject, schema: Node | undefined): ScalarType {
  const shape = itemShape(document, schema, false);
  return typeof shape === "object" || shape === "json" ? "string" : shape;
}

/** Types of the named properties of an object schema. */
export function propertyTypes(document: JsonObject, schema: Node | undefined): Record<string, ScalarType> {
  const shapes = Object.entries(propertyShapes(document, schema, false));
  return Object.fromEntries(
    shapes.map(([name, shape]) => [name, typeof shape === "object" || shape === "json" ? "string" : shape]),
  );
}

/**
 * Shape of the items of an array schema.
 *
 * @param nests whether the style has a form for lists and objects inside of others
 */
export function itemShape(
  document: JsonObject,
  schema: Node | undefined,
  nests: boolean,
  reach = newReach(),
): WireShape {
  let found: WireShape | undefined;
  visit(document, schema, (node) => {
    const inner = child(node, "items");
    if (inner) found ??= shapeOf(document, inner, nests, deeper(reach));
  });
  return found ?? "string";
}

/** Shapes of the properties that an object schema names, by itself or through others. */
export function propertyShapes(
  document: JsonObject,
  schema: Node | undefined,
  nests: boolean,
  reach = newReach(),
): Record<string, WireShape> {
  const found = new Map<string, WireShape>();
  visit(document, schema, (node) => {
    for (const [name, property] of entries(child(node, "properties"))) {
      // Where branches differ, text fits each of them.
      const shape = shapeOf(document, property, nests, deeper(reach));
      const known = found.get(name);
      const differs = known !== undefined && JSON.stringify(known) !== JSON.stringify(shape);
      found.set(name, differs ? (typeof known === "object" ? known : "string") : shape);
    }
  });
  return Object.fromEntries(found);
}

/** Shape of the values that an object schema allows without naming them; undefined when there are none. */
export function restShape(
  document: JsonObject,
  schema: Node | undefined,
  nests: boolean,
  reach = newReach(),
): WireShape | undefined {
  let found: WireShape | undefined;
  let named = false;
  visit(document, schema, (node) => {
    const patterns = entries(child(node, "patternProperties")).map(([, member]) => member);
    named ||= child(node, "properties") !== undefined;
    for (const rest of [child(node, "additionalProperties"), ...patterns]) {
      if (rest && rest.value !== false) found ??= shapeOf(document, rest, nests, deeper(reach));
      if (rest && rest.value === false) named = true;
    }
  });
  return found ?? (named ? undefined : "string");
}

function newReach(): Reach {
  return { depth: 0, budget: { left: MAX_SHAPES } };
}

function deeper({ depth, budget }: Reach): Reach {
  return { depth: depth + 1, budget };
}

function shapeOf(document: JsonObject, schema: Node, nests: boolean, reach: Reach): WireShape {
  const type = wireType(document, schema);
  if (type !== "array" && type !== "object") return type;
  reach.budget.left -= 1;
  // What is deeper than that has a recursive schema, and reads as text.
  if (!nests || reach.depth > MAX_DEPTH || reach.budget.left < 0) return nests ? "string" : "json";
  if (type === "array") return { items: itemShape(document, schema, nests, reach) };
  return {
    properties: propertyShapes(document, schema, nests, reach),
    rest: restShape(document, schema, nests, reach) ?? "string",
  };
}

/** Goes once through a schema and all that it is composed of: what its references, `allOf`, `anyOf` and `oneOf` name. */
function visit(
  document: JsonObject,
  schema: Node | undefined,
  see: (node: Node) => void,
  depth = 0,
  seen = new Set<string>(),
): void {
  const node = schema && deref(document, schema);
  if (!node || !isObject(node.value) || depth > MAX_DEPTH || seen.has(node.pointer)) return;
  seen.add(node.pointer);
  see(node);
  for (const key of ["allOf", "anyOf", "oneOf"]) {
    for (const member of items(child(node, key))) visit(document, member, see, depth + 1, seen);
  }
}

/** @param known what was found out already, by pointer; a schema that leads back to itself adds nothing to itself */
function allow(
  document: JsonObject,
  schema: Node | undefined,
  depth = 0,
  known = new Map<string, Allowed>(),
): Allowed {
  const nothing: Allowed = { types: new Set(), numerals: false, booleans: false };
  const node = schema && deref(document, schema);
  if (!node || !isObject(node.value) || depth > MAX_DEPTH) return nothing;
  const found = known.get(node.pointer);
  if (found) return found;
  known.set(node.pointer, nothing);
  const branches = (key: string): Allowed[] =>
    items(child(node, key)).map((member) => allow(document, member, depth + 1, known));
  const allowed = combined(node.value, branches);
  known.set(node.pointer, allowed);
  return allowed;
}

function combined(schema: JsonObject, branches: (key: string) => Allowed[]): Allowed {
  const unions = [...branches("anyOf"), ...branches("oneOf")].filter(({ types }) => types.size > 0);
  const parts = branches("allOf").filter(({ types }) => types.size > 0);
  const own = ownTypes(schema);
  if (own.size > 0 && !own.has("string")) return { types: own, numerals: false, booleans: false };
  if (own.size > 0) return { types: own, ...textsOf(schema, [...unions, ...parts]) };
  const [first] = parts;
  if (first) return first;
  return {
    types: new Set(unions.flatMap(({ types }) => [...types])),
    numerals: unions.some(({ numerals }) => numerals),
    booleans: unions.some(({ booleans }) => booleans),
  };
}

function ownTypes(schema: JsonObject): Set<Type> {
  const { type } = schema;
  const declared = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
  if (declared.length > 0) return new Set(declared.filter(isType));
  const values = valuesOf(schema);
  if (values) return new Set(values.map(typeOfValue).filter(isType));
  if (schema.properties !== undefined || isObject(schema.additionalProperties)) return new Set(["object"]);
  return new Set(schema.items !== undefined ? ["array"] : []);
}

/** Which texts a schema of its own types allows as text. */
function textsOf(schema: JsonObject, composed: Allowed[]): Pick<Allowed, "numerals" | "booleans"> {
  const values = valuesOf(schema);
  const texts = values?.filter((value) => typeof value === "string");
  const { format, pattern, minLength } = schema;
  const worded = typeof format === "string" && WORDED.has(format);
  const fits = (text: string): boolean =>
    !worded &&
    (texts?.includes(text) ?? true) &&
    (typeof pattern !== "string" || matches(pattern, text)) &&
    (typeof minLength !== "number" || [...text].length >= minLength);
  const limited = composed.length > 0 && composed.every(({ types }) => types.has("string"));
  return {
    numerals:
      (texts ? texts.some((text) => Number.isFinite(Number(text)) && text !== "") : NUMERALS.some(fits)) &&
      (!limited || composed.some(({ numerals }) => numerals)),
    booleans: ["true", "false"].some(fits) && (!limited || composed.some(({ booleans }) => booleans)),
  };
}

/** Whether a text matches a pattern, as far as that can be told at once: some patterns take years over ten characters. */
function matches(pattern: string, text: string): boolean {
  if (/\)[*+{]/.test(pattern) || (pattern.match(/[*+?{]/g)?.length ?? 0) > 8) return true;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true; // what cannot be told may match
  }
}

function valuesOf(schema: JsonObject): JsonValue[] | undefined {
  const values = schema.const !== undefined ? [schema.const] : schema.enum;
  return Array.isArray(values) ? values.filter((value) => value !== null) : undefined;
}

function typeOfValue(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function scalarOf({ types, numerals, booleans }: Allowed): ScalarType {
  const number = types.has("number") || types.has("integer");
  const boolean = types.has("boolean");
  if (types.has("string") && !((number && !numerals) || (boolean && !booleans))) return "string";
  if (number && boolean) return "numberOrBoolean";
  if (boolean) return "boolean";
  if (!number) return "string";
  return types.has("number") ? "number" : "integer";
}

function isType(type: string | undefined): type is Type {
  return TYPES.some((name) => name === type);
}
