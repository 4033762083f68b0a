import { type Checker } from "./check.js";
import { type Discriminator, readDiscriminator } from "./discriminator.js";
import { type Json, type JsonObject, type Schema, at, isObject, own, same } from "./json.js";

/** Alternatives of a value. */
export interface Union {
  branches: Schema[];
  discriminator: Discriminator | undefined;
}

/** A schema with resolved references and merged `allOf`: all requirements of a value. */
export interface Merged {
  /** Descriptions of merged requirements that no value satisfies. */
  impossible: string | undefined;
  types: string[] | undefined;
  values: Json[] | undefined;
  nullable: boolean;
  unions: Union[];
  minLength: number;
  maxLength: number;
  patterns: string[];
  format: string | undefined;
  minimum: number;
  maximum: number;
  multiples: number[];
  /** Exclusive limits. */
  excluded: number[];
  minItems: number;
  maxItems: number;
  uniqueItems: boolean;
  items: Schema[];
  prefixItems: Schema[];
  contains: Schema[];
  properties: Map<string, Schema[]>;
  required: Set<string>;
  patternProperties: [string, Schema][];
  additional: Schema[];
  propertyNames: Schema[];
  /** Tests for names that each `additionalProperties: false` allows. */
  closed: ((name: string) => boolean)[];
  minProperties: number;
  maxProperties: number;
  /** Values in the document. */
  given: Json[];
}

function createEmpty(): Merged {
  return {
    impossible: undefined,
    types: undefined,
    values: undefined,
    nullable: false,
    unions: [],
    minLength: 0,
    maxLength: Infinity,
    patterns: [],
    format: undefined,
    minimum: -Infinity,
    maximum: Infinity,
    multiples: [],
    excluded: [],
    minItems: 0,
    maxItems: Infinity,
    uniqueItems: false,
    items: [],
    prefixItems: [],
    contains: [],
    properties: new Map(),
    required: new Set(),
    patternProperties: [],
    additional: [],
    propertyNames: [],
    closed: [],
    minProperties: 0,
    maxProperties: Infinity,
    given: [],
  };
}

/** Merges schemas that all apply to a value. */
export function merge(document: JsonObject, checker: Checker, schemas: readonly Schema[]): Merged {
  const into = createEmpty();
  const seen = new Set<Schema>();
  const add = (schema: Schema | undefined, depth: number): void => {
    if (schema === false) into.impossible ??= "its schema is false";
    if (!isObject(schema) || seen.has(schema)) return;
    if (schema.$recursiveRef !== undefined) into.impossible ??= "$recursiveRef is a keyword of another draft";
    if (depth > 50) throw new Error("The schema refers to itself endlessly.");
    seen.add(schema);
    if (typeof schema.$ref === "string") add(at(document, schema.$ref), depth + 1);
    for (const part of listOf(schema.allOf)) add(part, depth + 1);
    addOwn(checker, into, schema);
    const { if: condition, then, else: otherwise } = schema;
    // A value that satisfies both `if` and `then` is valid.
    if (condition !== undefined && then !== undefined && then !== false)
      for (const part of [condition, then]) add(part, depth + 1);
    else if (condition !== undefined) add(otherwise, depth + 1);
  };
  for (const schema of schemas) add(schema, 0);
  return into;
}

function addOwn(checker: Checker, into: Merged, schema: JsonObject): void {
  const number = (key: string): number | undefined => {
    const value = schema[key];
    return typeof value === "number" ? value : undefined;
  };
  addTypes(into, schema);
  addUnions(into, schema);
  into.minLength = Math.max(into.minLength, number("minLength") ?? 0);
  into.maxLength = Math.min(into.maxLength, number("maxLength") ?? Infinity);
  if (typeof schema.pattern === "string") into.patterns.push(schema.pattern);
  if (typeof schema.format === "string") into.format ??= schema.format;
  for (const [bound, flag] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    const limits = [number(bound), number(flag)].filter((limit) => limit !== undefined);
    const tighter = bound === "minimum" ? Math.max : Math.min;
    into[bound] = tighter(into[bound], ...limits);
    const exclusive = schema[flag] === true ? number(bound) : number(flag);
    if (exclusive !== undefined) into.excluded.push(exclusive);
  }
  const multiple = number("multipleOf");
  if (multiple !== undefined) into.multiples.push(multiple);
  into.minItems = Math.max(into.minItems, number("minItems") ?? 0);
  into.maxItems = Math.min(into.maxItems, number("maxItems") ?? Infinity);
  if (schema.uniqueItems === true) into.uniqueItems = true;
  if (schema.items !== undefined) into.items.push(schema.items);
  if (schema.contains !== undefined) into.contains.push(schema.contains);
  if (Array.isArray(schema.prefixItems)) into.prefixItems = schema.prefixItems;
  addMembers(checker, into, schema);
  into.minProperties = Math.max(into.minProperties, number("minProperties") ?? 0);
  into.maxProperties = Math.min(into.maxProperties, number("maxProperties") ?? Infinity);
  into.given.push(...listOf(schema.examples));
  for (const value of [schema.example, schema.default]) if (value !== undefined) into.given.push(value);
}

function addTypes(into: Merged, schema: JsonObject): void {
  if (schema.nullable === true) into.nullable = true;
  if (schema.type !== undefined) {
    const types = [schema.type].flat().filter((type) => typeof type === "string");
    if (schema.nullable === true) types.push("null");
    into.types = into.types === undefined ? types : into.types.flatMap((type) => narrower(type, types));
    if (into.types.length === 0) into.impossible ??= "its types exclude each other";
  }
  const values = schema.const !== undefined ? [schema.const] : schema.enum;
  if (!Array.isArray(values)) return;
  const allowed = schema.nullable === true ? [...values, null] : values;
  into.values = into.values?.filter((value) => allowed.some((other) => same(value, other))) ?? allowed;
  if (into.values.length === 0) into.impossible ??= "its enumerations have nothing in common";
}

function narrower(type: string, others: string[]): string[] {
  if (others.includes(type)) return [type];
  if (type === "number" && others.includes("integer")) return ["integer"];
  return type === "integer" && others.includes("number") ? ["integer"] : [];
}

function addUnions(into: Merged, schema: JsonObject): void {
  for (const key of ["oneOf", "anyOf"]) {
    const branches = schema[key];
    if (!Array.isArray(branches)) continue;
    into.unions.push({
      branches: schema.nullable === true ? addNull(branches) : branches,
      discriminator: readDiscriminator(schema),
    });
  }
}

/** Branches of nullable unions. The list is cached, because its identity distinguishes unions. */
const nullable = new WeakMap<Schema[], Schema[]>();

function addNull(branches: Schema[]): Schema[] {
  const known = nullable.get(branches) ?? [...branches, { type: "null" }];
  nullable.set(branches, known);
  return known;
}

function addMembers(checker: Checker, into: Merged, schema: JsonObject): void {
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const [name, property] of Object.entries(properties)) {
    into.properties.set(name, [...(into.properties.get(name) ?? []), property]);
  }
  for (const name of listOf(schema.required)) {
    if (typeof name === "string" && !checker.hidden(own(properties, name))) into.required.add(name);
  }
  const patterns = Object.entries(isObject(schema.patternProperties) ? schema.patternProperties : {});
  into.patternProperties.push(...patterns);
  const additional = schema.additionalProperties;
  if (additional === false) {
    into.closed.push(
      (name) =>
        Object.hasOwn(properties, name) || patterns.some(([pattern]) => new RegExp(pattern, "u").test(name)),
    );
  } else if (additional !== undefined) into.additional.push(additional);
  if (schema.propertyNames !== undefined) into.propertyNames.push(schema.propertyNames);
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
