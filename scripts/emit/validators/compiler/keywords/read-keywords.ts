import { isObject, type JsonValue } from "../../../../json.js";
import { ALL_TYPES } from "../../../../model/schema/json-types.js";
import type { Schema } from "../../../../model/schema/schema.js";
import { SchemaError } from "../../../../model/schema/schema-error.js";

// Each function throws a SchemaError if the keyword has a value that JSON Schema does not allow.

/** Reads a keyword that must be a number; undefined without it. */
export function readNumber(schema: Schema, keyword: string): number | undefined {
  const value = schema.keyword(keyword);
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw createValueError(schema, keyword, "a number", value);
}

/** Reads a keyword that must be a non-negative integer; undefined without it. */
export function readCount(schema: Schema, keyword: string): number | undefined {
  const value = readNumber(schema, keyword);
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return value;
  throw createValueError(schema, keyword, "a non-negative integer", value);
}

/**
 * Reads a keyword that must be a list of names, without duplicates; empty without the keyword.
 *
 * @param value the list, if it is nested in the value of the keyword
 */
export function readNames(schema: Schema, keyword: string, value = schema.keyword(keyword)): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return [...new Set(value)];
  throw createValueError(schema, keyword, "a list of names", value);
}

/** Reads a keyword that must be an object of schemas; empty without the keyword. */
export function readSubschemaMap(schema: Schema, keyword: string): ReadonlyMap<string, Schema> {
  const value = schema.keyword(keyword);
  if (value === undefined || isObject(value)) return schema.subschemaMap(keyword);
  throw createValueError(schema, keyword, "an object", value);
}

/** Reads a keyword that must be a list of schemas; empty without the keyword. */
export function readSubschemaList(schema: Schema, keyword: string): readonly Schema[] {
  const value = schema.keyword(keyword);
  if (value === undefined || (Array.isArray(value) && value.length > 0)) return schema.subschemaList(keyword);
  throw createValueError(schema, keyword, "a list of schemas", value);
}

const TYPE_NAMES: ReadonlySet<string> = new Set([...ALL_TYPES, "integer"]);

/** Reads the keyword `type`, which `Schema.declaredTypes` does not check; undefined without it. */
export function readTypes(schema: Schema): string[] | undefined {
  const type = schema.keyword("type");
  if (type === undefined) return undefined;
  const names = [type].flat();
  if (names.length === 0) throw new SchemaError(schema, "type must name at least one type", "type");
  for (const name of names) {
    if (typeof name === "string" && TYPE_NAMES.has(name)) continue;
    const message = `type cannot be ${JSON.stringify(name)}; it is one of ${[...TYPE_NAMES].join(", ")}`;
    throw new SchemaError(schema, message, "type");
  }
  // Safe cast: the loop has checked that they are strings.
  return names as string[];
}

/** Creates the error for a keyword whose value is not the expected one, e.g. "a number". */
export function createValueError(
  schema: Schema,
  keyword: string,
  expected: string,
  value: JsonValue,
): SchemaError {
  return new SchemaError(schema, `${keyword} must be ${expected}, not ${shortenJson(value)}`, keyword);
}

/** Formats a value as JSON, shortened for a message. */
export function shortenJson(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
