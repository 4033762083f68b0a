import type { JsonValue, Parameter, ScalarType, WireShape, WireType } from "./model.js";
import { collectComposedSchemas, listConjuncts } from "./schema/composition.js";
import type { Schema } from "./schema/schema.js";

const TYPES = ["string", "number", "integer", "boolean", "array", "object"] as const;
type Type = (typeof TYPES)[number];

/** Maximum depth of composed and nested schemas, which recursive schemas would exceed. */
const MAX_DEPTH = 10;
/** Maximum number of shapes of a parameter. Schemas that refer to one another could have billions. */
const MAX_SHAPES = 500;
/** Sample numerals. If the schema of a string rejects all of them, a numeral is never meant as text. */
const NUMERALS = ["0", "1", "-1", "7", "42", "3.5", "100", "12345", "1700000000"];
/** String formats that neither numerals nor booleans match. */
const FORMATS_WITHOUT_NUMERALS = new Set(
  "date date-time time duration uuid email idn-email ipv4 ipv6 uri url iri binary".split(" "),
);

/** Current depth of a shape, and the number of further shapes that its parameter can have. */
interface ShapeLimits {
  depth: number;
  budget: { left: number };
}

/** The types that a schema allows, and whether its strings can look like other types. */
interface AllowedTypes {
  types: Set<Type>;
  /** Whether a string can be a numeral, and in `booleans` whether it can be `true` or `false`. */
  numerals: boolean;
  booleans: boolean;
}

const NO_TYPES: AllowedTypes = { types: new Set(), numerals: false, booleans: false };

/**
 * Chooses the type to which the text of a parameter or a header is converted. If a schema allows strings and numbers, the
 * text stays a string, unless its strings cannot be numerals. Without declared types, it stays a string, too.
 */
export function chooseWireType(schema: Schema | undefined): Exclude<WireType, "json"> {
  const allowed = inferAllowedTypes(schema);
  if (allowed.types.has("array")) return "array";
  return allowed.types.has("object") ? "object" : chooseScalarType(allowed);
}

/** Chooses the type of a scalar that a schema allows instead of an array or an object; undefined if it allows none. */
export function chooseAlternativeType(schema: Schema | undefined): ScalarType | undefined {
  const allowed = inferAllowedTypes(schema);
  const isComposed = allowed.types.has("array") || allowed.types.has("object");
  const hasScalar = [...allowed.types].some((type) => type !== "array" && type !== "object");
  return isComposed && hasScalar ? chooseScalarType(allowed) : undefined;
}

/** Infers the type of the items of an array header. */
export function inferItemType(schema: Schema | undefined): ScalarType {
  return toScalarType(inferItemShape(schema, false));
}

/** Infers the types of the named properties of an object header. */
export function inferPropertyTypes(schema: Schema | undefined): Record<string, ScalarType> {
  const shapes = Object.entries(inferPropertyShapes(schema, false));
  return Object.fromEntries(shapes.map(([name, shape]) => [name, toScalarType(shape)]));
}

/** Shapes of the values in an array or an object, as in the `Parameter` of the model. */
type MemberShapes = Pick<Parameter, "itemType" | "properties" | "additionalProperties">;

/**
 * Infers the shapes of the items of an array, or of the properties of an object. The shapes of a scalar are empty.
 *
 * @param type the type of the whole value
 * @param nests whether the style can express arrays and objects inside others
 */
export function inferMemberShapes(
  schema: Schema | undefined,
  type: WireType | "mixed",
  nests: boolean,
): MemberShapes {
  const rest = type === "object" ? inferRestShape(schema, nests) : undefined;
  return {
    itemType: type === "array" ? inferItemShape(schema, nests) : (rest ?? "string"),
    properties: type === "object" ? inferPropertyShapes(schema, nests) : {},
    additionalProperties: rest !== undefined,
  };
}

function toScalarType(shape: WireShape): ScalarType {
  return typeof shape === "object" || shape === "json" ? "string" : shape;
}

/** Infers the shape of the items of an array schema; `string` if it declares none. */
function inferItemShape(schema: Schema | undefined, nests: boolean, limits = createShapeLimits()): WireShape {
  for (const part of schema ? collectComposedSchemas(schema) : []) {
    const items = part.subschema("items");
    if (items) return deriveShape(items, nests, descend(limits));
  }
  return "string";
}

/** Infers the shapes of the named properties of an object schema and of the schemas that it is composed of. */
function inferPropertyShapes(
  schema: Schema | undefined,
  nests: boolean,
  limits = createShapeLimits(),
): Record<string, WireShape> {
  const found = new Map<string, WireShape>();
  for (const part of schema ? collectComposedSchemas(schema) : []) {
    for (const [name, property] of part.properties) {
      // If branches declare different shapes, the value stays a string.
      const shape = deriveShape(property, nests, descend(limits));
      const existing = found.get(name);
      const differs = existing !== undefined && JSON.stringify(existing) !== JSON.stringify(shape);
      found.set(name, differs ? (typeof existing === "object" ? existing : "string") : shape);
    }
  }
  return Object.fromEntries(found);
}

/** Infers the shape of the undeclared properties of an object schema; undefined if it allows none. */
function inferRestShape(
  schema: Schema | undefined,
  nests: boolean,
  limits = createShapeLimits(),
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
      else found ??= deriveShape(rest, nests, descend(limits));
    }
  }
  return found ?? (isClosed ? undefined : "string");
}

function createShapeLimits(): ShapeLimits {
  return { depth: 0, budget: { left: MAX_SHAPES } };
}

function descend({ depth, budget }: ShapeLimits): ShapeLimits {
  return { depth: depth + 1, budget };
}

function deriveShape(schema: Schema, nests: boolean, limits: ShapeLimits): WireShape {
  const type = chooseWireType(schema);
  if (type !== "array" && type !== "object") return type;
  limits.budget.left -= 1;
  // Shapes beyond the limits come from recursive schemas. Their values stay strings.
  if (!nests || limits.depth > MAX_DEPTH || limits.budget.left < 0) return nests ? "string" : "json";
  if (type === "array") return { items: inferItemShape(schema, nests, limits) };
  return {
    properties: inferPropertyShapes(schema, nests, limits),
    rest: inferRestShape(schema, nests, limits) ?? "string",
  };
}

/**
 * Infers the types that a schema allows, with its references and composition. Returns no types if it declares none.
 *
 * @param cache results by schema, which also end the recursion of a schema that refers to itself
 */
function inferAllowedTypes(
  schema: Schema | undefined,
  depth = 0,
  cache = new Map<Schema, AllowedTypes>(),
): AllowedTypes {
  if (!schema || depth > MAX_DEPTH) return NO_TYPES;
  const cached = cache.get(schema);
  if (cached) return cached;
  cache.set(schema, NO_TYPES);
  const inferEach = (parts: readonly Schema[]): AllowedTypes[] =>
    parts.map((part) => inferAllowedTypes(part, depth + 1, cache)).filter(({ types }) => types.size > 0);
  const allowed = combineAllowedTypes(
    schema,
    inferEach(schema.unions.flat()),
    inferEach(listConjuncts(schema)),
  );
  cache.set(schema, allowed);
  return allowed;
}

function combineAllowedTypes(schema: Schema, unions: AllowedTypes[], parts: AllowedTypes[]): AllowedTypes {
  const own = getOwnTypes(schema);
  if (own.size > 0 && !own.has("string")) return { ...NO_TYPES, types: own };
  if (own.size > 0) return { types: own, ...inferPossibleTexts(schema, [...unions, ...parts]) };
  const [first] = parts;
  if (first) return first;
  return {
    types: new Set(unions.flatMap(({ types }) => [...types])),
    numerals: unions.some(({ numerals }) => numerals),
    booleans: unions.some(({ booleans }) => booleans),
  };
}

function getOwnTypes(schema: Schema): Set<Type> {
  const { declaredTypes } = schema;
  if (declaredTypes && declaredTypes.length > 0) return new Set(declaredTypes.filter(isType));
  const values = schema.listedValues?.filter((value) => value !== null);
  if (values) return new Set(values.map(getTypeName).filter(isType));
  const additional = schema.subschema("additionalProperties");
  const isObject =
    schema.keyword("properties") !== undefined || (additional && additional.boolean === undefined);
  if (isObject) return new Set(["object"]);
  return new Set(schema.keyword("items") !== undefined ? ["array"] : []);
}

/** Infers whether the strings that a schema allows can be numerals or booleans. */
function inferPossibleTexts(
  schema: Schema,
  parts: AllowedTypes[],
): Pick<AllowedTypes, "numerals" | "booleans"> {
  const texts = schema.listedValues?.filter((value) => typeof value === "string");
  const pattern = schema.text("pattern");
  const minLength = schema.keyword("minLength");
  const isWorded = FORMATS_WITHOUT_NUMERALS.has(schema.text("format") ?? "");
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

/**
 * Whether a text may match a pattern. Returns true for patterns that could backtrack excessively, without running them.
 */
function mayMatch(pattern: string, text: string): boolean {
  if (/\)[*+{]/.test(pattern) || (pattern.match(/[*+?{]/g)?.length ?? 0) > 8) return true;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}

function getTypeName(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function chooseScalarType({ types, numerals, booleans }: AllowedTypes): ScalarType {
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
