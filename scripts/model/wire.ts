import type { JsonValue, ScalarType, WireShape, WireType } from "./model.js";
import { collectComposedSchemas, listConjuncts } from "./schema/composition.js";
import type { Schema } from "./schema/schema.js";

const TYPES = ["string", "number", "integer", "boolean", "array", "object"] as const;
type Type = (typeof TYPES)[number];

/** Composition this deep is more than any parameter has. */
const MAX_DEPTH = 10;
/** Bounds the shapes of one parameter: schemas that refer to one another could have billions. */
const MAX_SHAPES = 500;
/** Sample numerals. Where a string cannot be any of them, a numeral is always a number. */
const NUMERALS = ["0", "1", "-1", "7", "42", "3.5", "100", "12345", "1700000000"];
/** Formats of text that no numeral and no boolean has. */
const WORDED = new Set(
  "date date-time time duration uuid email idn-email ipv4 ipv6 uri url iri binary".split(" "),
);

/** Limits for the shapes of a parameter: the depth, and the number of remaining shapes. */
interface Reach {
  depth: number;
  budget: { left: number };
}

/** The types that a schema allows, as far as the text of its values is concerned. */
interface Allowed {
  types: Set<Type>;
  /** Whether a numeral, or the text of a boolean, may be meant as text. */
  numerals: boolean;
  booleans: boolean;
}

const NOTHING: Allowed = { types: new Set(), numerals: false, booleans: false };

/**
 * The conversion of text on the wire (a parameter, a header) to a value of a schema. A schema that allows text and numbers reads
 * text, unless no numeral fits its text; a schema without types reads text, too.
 */
export function wireType(schema: Schema | undefined): Exclude<WireType, "json"> {
  const allowed = allow(schema);
  if (allowed.types.has("array")) return "array";
  return allowed.types.has("object") ? "object" : chooseScalarType(allowed);
}

/** Type of the single value that a schema allows in place of an array or an object; undefined when it allows none. */
export function alternativeType(schema: Schema | undefined): ScalarType | undefined {
  const allowed = allow(schema);
  const isComposed = allowed.types.has("array") || allowed.types.has("object");
  const hasScalar = [...allowed.types].some((type) => type !== "array" && type !== "object");
  return isComposed && hasScalar ? chooseScalarType(allowed) : undefined;
}

/** Type of the items of an array header. */
export function itemType(schema: Schema | undefined): ScalarType {
  return scalarShape(itemShape(schema, false));
}

/** Types of the named properties of an object header. */
export function propertyTypes(schema: Schema | undefined): Record<string, ScalarType> {
  const shapes = Object.entries(propertyShapes(schema, false));
  return Object.fromEntries(shapes.map(([name, shape]) => [name, scalarShape(shape)]));
}

function scalarShape(shape: WireShape): ScalarType {
  return typeof shape === "object" || shape === "json" ? "string" : shape;
}

/**
 * Shape of the items of an array schema.
 *
 * @param nests whether the style can express arrays and objects inside others
 */
export function itemShape(schema: Schema | undefined, nests: boolean, reach = newReach()): WireShape {
  for (const part of schema ? collectComposedSchemas(schema) : []) {
    const items = part.subschema("items");
    if (items) return deriveShape(items, nests, deeper(reach));
  }
  return "string";
}

/** Shapes of the named properties of an object schema, through composition. */
export function propertyShapes(
  schema: Schema | undefined,
  nests: boolean,
  reach = newReach(),
): Record<string, WireShape> {
  const found = new Map<string, WireShape>();
  for (const part of schema ? collectComposedSchemas(schema) : []) {
    for (const [name, property] of part.properties) {
      // Text fits every branch when the branches differ.
      const shape = deriveShape(property, nests, deeper(reach));
      const known = found.get(name);
      const differs = known !== undefined && JSON.stringify(known) !== JSON.stringify(shape);
      found.set(name, differs ? (typeof known === "object" ? known : "string") : shape);
    }
  }
  return Object.fromEntries(found);
}

/** Shape of the unnamed values that an object schema allows; undefined when it allows none. */
export function restShape(
  schema: Schema | undefined,
  nests: boolean,
  reach = newReach(),
): WireShape | undefined {
  let found: WireShape | undefined;
  let isClosed = false;
  for (const part of schema ? collectComposedSchemas(schema) : []) {
    isClosed ||= part.keyword("properties") !== undefined;
    const additional = part.subschema("additionalProperties");
    for (const rest of [
      ...(additional ? [additional] : []),
      ...part.subschemaMap("patternProperties").values(),
    ]) {
      if (rest.boolean === false) isClosed = true;
      else found ??= deriveShape(rest, nests, deeper(reach));
    }
  }
  return found ?? (isClosed ? undefined : "string");
}

function newReach(): Reach {
  return { depth: 0, budget: { left: MAX_SHAPES } };
}

function deeper({ depth, budget }: Reach): Reach {
  return { depth: depth + 1, budget };
}

function deriveShape(schema: Schema, nests: boolean, reach: Reach): WireShape {
  const type = wireType(schema);
  if (type !== "array" && type !== "object") return type;
  reach.budget.left -= 1;
  // Deeper shapes come from recursive schemas, and are read as text.
  if (!nests || reach.depth > MAX_DEPTH || reach.budget.left < 0) return nests ? "string" : "json";
  if (type === "array") return { items: itemShape(schema, nests, reach) };
  return {
    properties: propertyShapes(schema, nests, reach),
    rest: restShape(schema, nests, reach) ?? "string",
  };
}

/** @param known results by schema, which end the recursion of a schema that refers to itself */
function allow(schema: Schema | undefined, depth = 0, known = new Map<Schema, Allowed>()): Allowed {
  if (!schema || depth > MAX_DEPTH) return NOTHING;
  const found = known.get(schema);
  if (found) return found;
  known.set(schema, NOTHING);
  const each = (parts: readonly Schema[]): Allowed[] =>
    parts.map((part) => allow(part, depth + 1, known)).filter(({ types }) => types.size > 0);
  const allowed = combine(schema, each(schema.unions.flat()), each(listConjuncts(schema)));
  known.set(schema, allowed);
  return allowed;
}

function combine(schema: Schema, unions: Allowed[], parts: Allowed[]): Allowed {
  const own = ownTypes(schema);
  if (own.size > 0 && !own.has("string")) return { ...NOTHING, types: own };
  if (own.size > 0) return { types: own, ...possibleTexts(schema, [...unions, ...parts]) };
  const [first] = parts;
  if (first) return first;
  return {
    types: new Set(unions.flatMap(({ types }) => [...types])),
    numerals: unions.some(({ numerals }) => numerals),
    booleans: unions.some(({ booleans }) => booleans),
  };
}

function ownTypes(schema: Schema): Set<Type> {
  const { declaredTypes } = schema;
  if (declaredTypes && declaredTypes.length > 0) return new Set(declaredTypes.filter(isType));
  const values = schema.listedValues?.filter((value) => value !== null);
  if (values) return new Set(values.map(typeOfValue).filter(isType));
  const additional = schema.subschema("additionalProperties");
  const isObject =
    schema.keyword("properties") !== undefined || (additional && additional.boolean === undefined);
  if (isObject) return new Set(["object"]);
  return new Set(schema.keyword("items") !== undefined ? ["array"] : []);
}

/** The texts that a schema with the type `string` allows as text. */
function possibleTexts(schema: Schema, parts: Allowed[]): Pick<Allowed, "numerals" | "booleans"> {
  const texts = schema.listedValues?.filter((value) => typeof value === "string");
  const pattern = schema.text("pattern");
  const minLength = schema.keyword("minLength");
  const isWorded = WORDED.has(schema.text("format") ?? "");
  const fits = (text: string): boolean =>
    !isWorded &&
    (texts?.includes(text) ?? true) &&
    (pattern === undefined || mayMatch(pattern, text)) &&
    (typeof minLength !== "number" || [...text].length >= minLength);
  const isLimited = parts.length > 0 && parts.every(({ types }) => types.has("string"));
  return {
    numerals:
      (texts ? texts.some((text) => Number.isFinite(Number(text)) && text !== "") : NUMERALS.some(fits)) &&
      (!isLimited || parts.some(({ numerals }) => numerals)),
    booleans: ["true", "false"].some(fits) && (!isLimited || parts.some(({ booleans }) => booleans)),
  };
}

/** Whether a text may match a pattern. Patterns that can backtrack for years are not run. */
function mayMatch(pattern: string, text: string): boolean {
  if (/\)[*+{]/.test(pattern) || (pattern.match(/[*+?{]/g)?.length ?? 0) > 8) return true;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}

function typeOfValue(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function chooseScalarType({ types, numerals, booleans }: Allowed): ScalarType {
  const hasNumber = types.has("number") || types.has("integer");
  const hasBoolean = types.has("boolean");
  if (types.has("string") && !((hasNumber && !numerals) || (hasBoolean && !booleans))) return "string";
  if (hasNumber && hasBoolean) return "numberOrBoolean";
  if (hasBoolean) return "boolean";
  if (!hasNumber) return "string";
  return types.has("number") ? "number" : "integer";
}

function isType(type: string): type is Type {
  return TYPES.some((name) => name === type);
}
