import { isNamed } from "./discriminator.js";
import { type Json, type JsonObject, type Schema, at, isObject, own, same } from "./json.js";
import { compileExpression } from "./pattern.js";

/** Direction of a message: a request has no readOnly properties, a response no writeOnly ones. */
export type Direction = "request" | "response";

const MAX_DEPTH = 200;
const NONE: ReadonlySet<string> = new Set();

/**
 * Checks whether a value satisfies a schema of an OpenAPI 3.0 or 3.1 document, independent of the validators under test.
 * Ignores formats.
 */
export class Checker {
  private readonly expressions = new Map<string, RegExp>();
  private readonly hiddenNamesBySchema = new Map<Schema, string[]>();
  /** Values that are being checked, by schema. */
  private readonly active = new Map<Schema, Set<Json>>();

  constructor(
    private readonly document: JsonObject,
    private readonly direction: Direction,
  ) {}

  matches(schema: Schema | undefined, value: Json, depth = 0, hidden: ReadonlySet<string> = NONE): boolean {
    if (depth > MAX_DEPTH) throw new Error("The value is nested too deeply to be checked.");
    if (typeof schema === "boolean") return schema;
    if (!isObject(schema)) return true;
    const values = this.active.get(schema) ?? new Set();
    this.active.set(schema, values);
    // A schema that refers to itself for the same value demands nothing more. The validators under test decide the same.
    if (values.has(value)) return true;
    values.add(value);
    try {
      return this.matchesKeywords(schema, value, depth, hidden);
    } finally {
      values.delete(value);
    }
  }

  private matchesKeywords(
    schema: JsonObject,
    value: Json,
    depth: number,
    hidden: ReadonlySet<string>,
  ): boolean {
    if (value === null && schema.nullable === true) return true;
    // A property that one schema omits in this direction is not required by the other schemas of the value.
    const names = isObject(value) ? new Set([...hidden, ...this.hiddenNames(schema)]) : NONE;
    const next = (part: Schema, of?: Json): boolean =>
      of === undefined ? this.matches(part, value, depth + 1, names) : this.matches(part, of, depth + 1);
    const list = (key: string): Schema[] => (Array.isArray(schema[key]) ? schema[key] : []);
    if (typeof schema.$ref === "string" && !next(at(this.document, schema.$ref))) return false;
    if (schema.type !== undefined && ![schema.type].flat().some((type) => isOfType(type, value)))
      return false;
    if (schema.const !== undefined && !same(schema.const, value)) return false;
    if (Array.isArray(schema.enum) && !schema.enum.some((one) => same(one, value))) return false;
    if (!list("allOf").every((part) => next(part))) return false;
    if (Array.isArray(schema.anyOf) && !schema.anyOf.some((part) => next(part))) return false;
    if (Array.isArray(schema.oneOf)) {
      const fitting = schema.oneOf.filter((part) => next(part));
      // The discriminator decides if several branches match.
      if (fitting.length !== 1 && !fitting.some((part) => isNamed(schema, part, value))) return false;
    }
    if (schema.not !== undefined && next(schema.not)) return false;
    if (schema.if !== undefined) {
      const branch = next(schema.if) ? schema.then : schema.else;
      if (branch !== undefined && !next(branch)) return false;
    }
    if (typeof value === "number") return checkNumber(schema, value);
    if (typeof value === "string") return this.checkString(schema, value);
    if (Array.isArray(value)) return checkArray(schema, value, next);
    return isObject(value) ? this.checkObject(schema, value, next, names) : true;
  }

  /** Lists the properties that messages of this direction omit, by a schema and its composed schemas. */
  hiddenNames(schema: Schema | undefined, depth = 0): string[] {
    if (!isObject(schema) || depth > 20) return [];
    const known = this.hiddenNamesBySchema.get(schema);
    if (known) return known;
    const names = Object.entries(isObject(schema.properties) ? schema.properties : {})
      .filter(([, property]) => this.hidden(property))
      .map(([name]) => name);
    const parts = Array.isArray(schema.allOf) ? [...schema.allOf] : [];
    if (typeof schema.$ref === "string") parts.push(at(this.document, schema.$ref));
    const all = [...names, ...parts.flatMap((part) => this.hiddenNames(part, depth + 1))];
    this.hiddenNamesBySchema.set(schema, all);
    return all;
  }

  /** Whether messages of this direction omit a property. */
  hidden(schema: Schema | undefined, depth = 0): boolean {
    if (!isObject(schema) || depth > 20) return false;
    if (schema[this.direction === "request" ? "readOnly" : "writeOnly"] === true) return true;
    if (typeof schema.$ref === "string" && this.hidden(at(this.document, schema.$ref), depth + 1))
      return true;
    return Array.isArray(schema.allOf) && schema.allOf.some((part) => this.hidden(part, depth + 1));
  }

  private expression(pattern: string): RegExp {
    const known = this.expressions.get(pattern) ?? compileExpression(pattern);
    this.expressions.set(pattern, known);
    return known;
  }

  private checkString(schema: JsonObject, value: string): boolean {
    const { minLength, maxLength, pattern } = schema;
    const length = [...value].length;
    if (typeof minLength === "number" && length < minLength) return false;
    if (typeof maxLength === "number" && length > maxLength) return false;
    return typeof pattern !== "string" || this.expression(pattern).test(value);
  }

  private checkObject(
    schema: JsonObject,
    value: JsonObject,
    next: (part: Schema, of?: Json) => boolean,
    hidden: ReadonlySet<string>,
  ): boolean {
    const names = Object.keys(value);
    if (typeof schema.minProperties === "number" && names.length < schema.minProperties) return false;
    if (typeof schema.maxProperties === "number" && names.length > schema.maxProperties) return false;
    for (const name of Array.isArray(schema.required) ? schema.required : []) {
      if (typeof name !== "string" || Object.hasOwn(value, name)) continue;
      if (!hidden.has(name)) return false;
    }
    const patterns = Object.entries(isObject(schema.patternProperties) ? schema.patternProperties : {});
    for (const name of names) {
      const member = value[name] ?? null;
      const property = own(schema.properties, name);
      if (property !== undefined && !next(property, member)) return false;
      const fitting = patterns.filter(([pattern]) => this.expression(pattern).test(name));
      if (!fitting.every(([, part]) => next(part, member))) return false;
      const additional = schema.additionalProperties;
      if (property === undefined && fitting.length === 0 && additional !== undefined) {
        if (!next(additional, member)) return false;
      }
      if (schema.propertyNames !== undefined && !next(schema.propertyNames, name)) return false;
      for (const other of [own(schema.dependentRequired, name) ?? []].flat()) {
        if (typeof other === "string" && !Object.hasOwn(value, other)) return false;
      }
      const dependent = own(schema.dependentSchemas, name);
      if (dependent !== undefined && !next(dependent)) return false;
    }
    return true;
  }
}

export function isOfType(type: Json, value: Json): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return typeof value === "number" && Number.isInteger(value);
  return typeof value === type;
}

function checkNumber(schema: JsonObject, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === "number" && (exclusiveMinimum === true ? value <= minimum : value < minimum))
    return false;
  if (typeof maximum === "number" && (exclusiveMaximum === true ? value >= maximum : value > maximum))
    return false;
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) return false;
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) return false;
  return typeof multipleOf !== "number" || Number.isInteger(value / multipleOf);
}

function checkArray(schema: JsonObject, value: Json[], next: (part: Schema, of: Json) => boolean): boolean {
  const { minItems, maxItems, items, contains } = schema;
  if (typeof minItems === "number" && value.length < minItems) return false;
  if (typeof maxItems === "number" && value.length > maxItems) return false;
  if (
    schema.uniqueItems === true &&
    value.some((item, index) => value.slice(0, index).some((other) => same(item, other)))
  ) {
    return false;
  }
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  if (!value.every((item, index) => next(prefix[index] ?? items ?? true, item))) return false;
  if (contains === undefined) return true;
  const found = value.filter((item) => next(contains, item)).length;
  const least = typeof schema.minContains === "number" ? schema.minContains : 1;
  const most = typeof schema.maxContains === "number" ? schema.maxContains : Infinity;
  return found >= least && found <= most;
}
