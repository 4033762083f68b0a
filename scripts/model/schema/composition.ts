import { isObject, type JsonValue } from "../json.js";
import type { Schema } from "./schema.js";

/** The types of JSON values. An integer is a number. */
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

/** Facts about the properties of every object that fits a schema. */
export interface PropertyFacts {
  required: ReadonlySet<string>;
  /** The values that a property can have, where they are listed. */
  values: ReadonlyMap<string, ReadonlySet<Scalar>>;
}

/** The properties and items that a schema evaluates whenever it fits, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Evaluated {
  all: boolean;
  names: Set<string>;
  patterns: Set<string>;
  /** Number of items, from the first on. */
  items: number;
}

/** Deeper composition is not looked into; the result is then less precise and never wrong. */
const MAX_DEPTH = 6;
const NO_FACTS: PropertyFacts = { required: new Set(), values: new Map() };

const knownTypes = new WeakMap<Schema, ReadonlySet<JsonType>[]>();
const knownFacts = new WeakMap<Schema, PropertyFacts[]>();

/** The types that a value which fits a schema can have, through references and composition. */
export function possibleTypes(schema: Schema, depth = MAX_DEPTH): ReadonlySet<JsonType> {
  if (schema.boolean === false) return new Set();
  if (!isObject(schema.value) || depth === 0) return ALL_TYPES;
  const known = knownTypes.get(schema) ?? [];
  knownTypes.set(schema, known);
  known[depth] ??= typesOf(schema, depth);
  return known[depth];
}

function typesOf(schema: Schema, depth: number): ReadonlySet<JsonType> {
  const limits: ReadonlySet<string>[] = [];
  const { declaredTypes, listedValues } = schema;
  if (declaredTypes) limits.push(toJsonTypes(declaredTypes));
  if (listedValues) limits.push(new Set(listedValues.map(jsonTypeOf)));
  for (const part of conjuncts(schema)) limits.push(possibleTypes(part, depth - 1));
  for (const branches of schema.unions) {
    limits.push(new Set(branches.flatMap((branch) => [...possibleTypes(branch, depth - 1)])));
  }
  const types = new Set([...ALL_TYPES].filter((each) => limits.every((limit) => limit.has(each))));
  if (schema.nullable) types.add("null");
  return types;
}

/** The JSON types for each name in `type`. */
export function toJsonTypes(names: readonly string[]): Set<JsonType> {
  const types = new Set<JsonType>();
  for (const type of ALL_TYPES) if (names.includes(type)) types.add(type);
  return names.includes("integer") ? types.add("number") : types;
}

/** The JSON type of a value. */
export function jsonTypeOf(value: JsonValue): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  // The cast: a JSON value is no function, symbol, bigint or undefined.
  return typeof value as JsonType;
}

/** The facts about the properties of every object that fits a schema. */
export function propertyFacts(schema: Schema, depth = MAX_DEPTH): PropertyFacts {
  if (!isObject(schema.value) || depth === 0) return NO_FACTS;
  const known = knownFacts.get(schema) ?? [];
  knownFacts.set(schema, known);
  known[depth] ??= factsOf(schema, depth);
  return known[depth];
}

function factsOf(schema: Schema, depth: number): PropertyFacts {
  const required = new Set(schema.required);
  const listed = new Map<string, ReadonlySet<Scalar>>();
  for (const [name, property] of schema.properties) {
    const scalars = listedScalars(property, depth);
    if (scalars) listed.set(name, scalars);
  }
  const parts = conjuncts(schema).map((part) => propertyFacts(part, depth - 1));
  for (const branches of schema.unions) {
    parts.push(commonFacts(branches.map((branch) => propertyFacts(branch, depth - 1))));
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

/** The values that fit a schema, where it lists them and none is an object or array. */
function listedScalars(schema: Schema, depth: number): ReadonlySet<Scalar> | undefined {
  if (depth === 0 || schema.nullable) return undefined;
  const { listedValues } = schema;
  if (listedValues?.every(isScalar)) return new Set(listedValues.filter(isScalar));
  for (const part of conjuncts(schema)) {
    const found = listedScalars(part, depth - 1);
    if (found) return found;
  }
  return undefined;
}

/** The facts that hold whichever of several schemas a value fits. */
function commonFacts(all: PropertyFacts[]): PropertyFacts {
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
 * The properties or items that a schema evaluates for every valid value; undefined if they depend on the value.
 *
 * @param withOwn whether to include the schema's own `unevaluated...` keyword
 */
export function evaluatedBy(
  schema: Schema,
  kind: "properties" | "items",
  withOwn = true,
  visited: ReadonlySet<Schema> = new Set(),
): Evaluated | undefined {
  const result: Evaluated = { all: false, names: new Set(), patterns: new Set(), items: 0 };
  if (!isObject(schema.value) || visited.has(schema)) return result;
  if (schema.nullable && visited.size > 0) return undefined;
  const path = new Set([...visited, schema]);
  if (kind === "properties") {
    result.all = schema.keyword("additionalProperties") !== undefined;
    if (withOwn && schema.keyword("unevaluatedProperties") !== undefined) result.all = true;
    for (const name of schema.properties.keys()) result.names.add(name);
    for (const pattern of schema.named("patternProperties").keys()) result.patterns.add(pattern);
  } else {
    result.all = schema.keyword("items") !== undefined;
    if (withOwn && schema.keyword("unevaluatedItems") !== undefined) result.all = true;
    result.items = schema.list("prefixItems").length;
  }
  for (const part of conjuncts(schema)) {
    const more = evaluatedBy(part, kind, true, path);
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
    if (!CONDITIONAL.has(keyword)) continue;
    const more = evaluatedBy(part, kind, true, path);
    if (!more || more.all || more.names.size + more.patterns.size + more.items > 0) return undefined;
  }
  return result;
}

/** Whether a schema never evaluates a property or an item. */
export function evaluatesNothing(schema: Schema): boolean {
  return (["properties", "items"] as const).every((kind) => {
    const found = evaluatedBy(schema, kind);
    return found && !found.all && found.names.size + found.patterns.size + found.items === 0;
  });
}

/** The names of all properties that a schema or the schemas in it declare for the same value. */
export function declaredNames(schema: Schema): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set([schema]);
  for (const each of seen) {
    for (const name of each.properties.keys()) names.add(name);
    for (const part of conjuncts(each)) seen.add(part);
    for (const { keyword, schema: part } of each.subschemas()) if (CONDITIONAL.has(keyword)) seen.add(part);
  }
  return names;
}

const CONDITIONAL: ReadonlySet<string> = new Set([
  "anyOf",
  "oneOf",
  "if",
  "then",
  "else",
  "dependentSchemas",
]);

/** The schemas that apply to the same value in any case: the referenced one and those of `allOf`. */
export function conjuncts(schema: Schema): Schema[] {
  const { reference } = schema;
  return [...(reference ? [reference] : []), ...schema.list("allOf")];
}

function isScalar(value: JsonValue): value is Scalar {
  return typeof value !== "object" || value === null;
}

/** Schemas beyond this many are not looked into. */
const MAX_COMPOSED = 2000;

/** A schema and all that it is composed of through references, `allOf`, `anyOf` and `oneOf`, each once, in document order. */
export function composed(schema: Schema): ReadonlySet<Schema> {
  const found = new Set<Schema>();
  const open = [schema];
  for (let next = open.pop(); next; next = open.pop()) {
    if (found.has(next) || found.size >= MAX_COMPOSED) continue;
    found.add(next);
    open.push(...[...conjuncts(next), ...next.unions.flat()].reverse());
  }
  return found;
}

/** The properties that a schema names, itself or in a part of its composition: each with all its schemas. */
export function knownProperties(schema: Schema): ReadonlyMap<string, readonly Schema[]> {
  const found = new Map<string, Schema[]>();
  for (const part of composed(schema)) {
    for (const [name, property] of part.properties) {
      const known = found.get(name);
      if (known) known.push(property);
      else found.set(name, [property]);
    }
  }
  return found;
}
