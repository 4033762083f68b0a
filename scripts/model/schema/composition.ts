import { isObject, type JsonValue } from "../json.js";
import type { Schema } from "./schema.js";

/** The type of a JSON value. Integers have the type `number`. */
export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

export const ALL_TYPES: ReadonlySet<JsonType> = new Set<JsonType>([
  "null",
  "boolean",
  "number",
  "string",
  "array",
  "object",
]);

export type Scalar = string | number | boolean | null;

/** Facts that hold for the properties of every object that is valid against a schema. */
export interface PropertyFacts {
  required: ReadonlySet<string>;
  /** Allowed values by property, for properties whose schema has `const` or `enum`. */
  values: ReadonlyMap<string, ReadonlySet<Scalar>>;
}

/** The properties or items that a schema evaluates in every valid value (JSON Schema 2020-12, section 11). */
export interface EvaluatedMembers {
  all: boolean;
  names: Set<string>;
  patterns: Set<string>;
  /** Number of evaluated items at the start of the array. */
  items: number;
}

/** Maximum depth of composition. Below it the results are less precise, but still correct. */
const MAX_DEPTH = 6;
const NO_FACTS: PropertyFacts = { required: new Set(), values: new Map() };

const typesCache = new WeakMap<Schema, ReadonlySet<JsonType>[]>();
const factsCache = new WeakMap<Schema, PropertyFacts[]>();

/** Returns the types of the values that can be valid against a schema, including its references and composition. */
export function getPossibleTypes(schema: Schema, depth = MAX_DEPTH): ReadonlySet<JsonType> {
  if (schema.boolean === false) return new Set();
  if (!isObject(schema.value) || depth === 0) return ALL_TYPES;
  const cached = typesCache.get(schema) ?? [];
  typesCache.set(schema, cached);
  cached[depth] ??= inferTypes(schema, depth);
  return cached[depth];
}

function inferTypes(schema: Schema, depth: number): ReadonlySet<JsonType> {
  const limits: ReadonlySet<string>[] = [];
  const { declaredTypes, listedValues } = schema;
  if (declaredTypes) limits.push(toJsonTypes(declaredTypes));
  if (listedValues) limits.push(new Set(listedValues.map(getJsonType)));
  for (const part of listConjuncts(schema)) limits.push(getPossibleTypes(part, depth - 1));
  for (const branches of schema.unions) {
    limits.push(new Set(branches.flatMap((branch) => [...getPossibleTypes(branch, depth - 1)])));
  }
  const types = new Set([...ALL_TYPES].filter((each) => limits.every((limit) => limit.has(each))));
  if (schema.nullable) types.add("null");
  return types;
}

/** Converts the names in `type` to JSON types. */
export function toJsonTypes(names: readonly string[]): Set<JsonType> {
  const types = new Set<JsonType>();
  for (const type of ALL_TYPES) if (names.includes(type)) types.add(type);
  return names.includes("integer") ? types.add("number") : types;
}

/** Returns the JSON type of a value. */
export function getJsonType(value: JsonValue): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  // The cast: a JSON value is not a function, symbol, bigint or undefined.
  return typeof value as JsonType;
}

/** Returns the facts that hold for the properties of every object that is valid against a schema. */
export function getPropertyFacts(schema: Schema, depth = MAX_DEPTH): PropertyFacts {
  if (!isObject(schema.value) || depth === 0) return NO_FACTS;
  const cached = factsCache.get(schema) ?? [];
  factsCache.set(schema, cached);
  cached[depth] ??= inferPropertyFacts(schema, depth);
  return cached[depth];
}

function inferPropertyFacts(schema: Schema, depth: number): PropertyFacts {
  const required = new Set(schema.required);
  const listed = new Map<string, ReadonlySet<Scalar>>();
  for (const [name, property] of schema.properties) {
    const scalars = getListedScalars(property, depth);
    if (scalars) listed.set(name, scalars);
  }
  const parts = listConjuncts(schema).map((part) => getPropertyFacts(part, depth - 1));
  for (const branches of schema.unions) {
    parts.push(intersectFacts(branches.map((branch) => getPropertyFacts(branch, depth - 1))));
  }
  for (const part of parts) {
    for (const name of part.required) required.add(name);
    for (const [name, scalars] of part.values) {
      const before = listed.get(name);
      listed.set(name, before ? new Set([...before].filter((each) => scalars.has(each))) : scalars);
    }
  }
  return { required, values: listed };
}

/** Returns the values of `const` or `enum`; undefined without these keywords, or if a value is an object or array. */
function getListedScalars(schema: Schema, depth: number): ReadonlySet<Scalar> | undefined {
  if (depth === 0 || schema.nullable) return undefined;
  const { listedValues } = schema;
  if (listedValues?.every(isScalar)) return new Set(listedValues.filter(isScalar));
  for (const part of listConjuncts(schema)) {
    const found = getListedScalars(part, depth - 1);
    if (found) return found;
  }
  return undefined;
}

/** Returns the facts that hold for every branch of a union. */
function intersectFacts(all: PropertyFacts[]): PropertyFacts {
  const [first, ...others] = all;
  if (!first) return NO_FACTS;
  const required = [...first.required].filter((name) => others.every((other) => other.required.has(name)));
  const values = new Map<string, ReadonlySet<Scalar>>();
  for (const name of first.values.keys()) {
    const sets = all.map((facts) => facts.values.get(name));
    if (sets.every((set) => set !== undefined)) values.set(name, new Set(sets.flatMap((set) => [...set])));
  }
  return { required: new Set(required), values };
}

/**
 * Returns the properties or items that a schema evaluates in every valid value; undefined if they depend on the value.
 *
 * @param includeUnevaluated whether the `unevaluated...` keyword of the schema itself counts
 */
export function findEvaluatedMembers(
  schema: Schema,
  kind: "properties" | "items",
  includeUnevaluated = true,
  visited: ReadonlySet<Schema> = new Set(),
): EvaluatedMembers | undefined {
  const result: EvaluatedMembers = { all: false, names: new Set(), patterns: new Set(), items: 0 };
  if (!isObject(schema.value) || visited.has(schema)) return result;
  if (schema.nullable && visited.size > 0) return undefined;
  const path = new Set([...visited, schema]);
  if (kind === "properties") {
    result.all = schema.keyword("additionalProperties") !== undefined;
    if (includeUnevaluated && schema.keyword("unevaluatedProperties") !== undefined) result.all = true;
    for (const name of schema.properties.keys()) result.names.add(name);
    for (const pattern of schema.subschemaMap("patternProperties").keys()) result.patterns.add(pattern);
  } else {
    result.all = schema.keyword("items") !== undefined;
    if (includeUnevaluated && schema.keyword("unevaluatedItems") !== undefined) result.all = true;
    result.items = schema.subschemaList("prefixItems").length;
  }
  for (const part of listConjuncts(schema)) {
    const more = findEvaluatedMembers(part, kind, true, path);
    if (!more) return undefined;
    result.all ||= more.all;
    for (const name of more.names) result.names.add(name);
    for (const pattern of more.patterns) result.patterns.add(pattern);
    result.items = Math.max(result.items, more.items);
  }
  if (result.all) return result;
  if (kind === "items" && schema.keyword("contains") !== undefined) return undefined;
  if (schema.keyword("$dynamicRef") !== undefined) return undefined;
  for (const { keyword, schema: part } of schema.subschemas()) {
    if (!CONDITIONAL_KEYWORDS.has(keyword)) continue;
    const more = findEvaluatedMembers(part, kind, true, path);
    if (!more || more.all || more.names.size + more.patterns.size + more.items > 0) return undefined;
  }
  return result;
}

/** Whether a schema never evaluates a property or an item. */
export function evaluatesNothing(schema: Schema): boolean {
  return (["properties", "items"] as const).every((kind) => {
    const found = findEvaluatedMembers(schema, kind);
    return found && !found.all && found.names.size + found.patterns.size + found.items === 0;
  });
}

/** Lists the properties that a schema declares, including its references, composition and conditional keywords. */
export function listDeclaredNames(schema: Schema): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set([schema]);
  for (const each of seen) {
    for (const name of each.properties.keys()) names.add(name);
    for (const part of listConjuncts(each)) seen.add(part);
    for (const { keyword, schema: part } of each.subschemas())
      if (CONDITIONAL_KEYWORDS.has(keyword)) seen.add(part);
  }
  return names;
}

const CONDITIONAL_KEYWORDS: ReadonlySet<string> = new Set([
  "anyOf",
  "oneOf",
  "if",
  "then",
  "else",
  "dependentSchemas",
]);

/** Lists the schemas that a value must also match: the target of `$ref` and the members of `allOf`. */
export function listConjuncts(schema: Schema): Schema[] {
  const { reference } = schema;
  return [...(reference ? [reference] : []), ...schema.subschemaList("allOf")];
}

function isScalar(value: JsonValue): value is Scalar {
  return typeof value !== "object" || value === null;
}

/** Maximum number of schemas in a composition; more are ignored. */
const MAX_COMPOSED_SCHEMAS = 2000;

/**
 * Returns a schema and all schemas that it is composed of through `$ref`, `allOf`, `anyOf` and `oneOf`, in document
 * order.
 */
export function collectComposedSchemas(schema: Schema): ReadonlySet<Schema> {
  const found = new Set<Schema>();
  const pending = [schema];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (found.has(next) || found.size >= MAX_COMPOSED_SCHEMAS) continue;
    found.add(next);
    pending.push(...[...listConjuncts(next), ...next.unions.flat()].reverse());
  }
  return found;
}

/** Returns the properties of a schema and of its composed schemas. Each name has one schema for every declaration. */
export function collectDeclaredProperties(schema: Schema): ReadonlyMap<string, readonly Schema[]> {
  const found = new Map<string, Schema[]>();
  for (const part of collectComposedSchemas(schema)) {
    for (const [name, property] of part.properties) {
      const existing = found.get(name);
      if (existing) existing.push(property);
      else found.set(name, [property]);
    }
  }
  return found;
}
