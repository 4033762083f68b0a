import type { JsonValue } from "../../json.js";
import { listConjuncts, memoizeByDepth } from "./composition.js";
import { collectConditionalProperties } from "./conditional-properties.js";
import type { Schema } from "./schema.js";

const JSON_TYPES = ["null", "boolean", "number", "string", "array", "object"] as const;

/** The type of a JSON value. Integers have the type `number`. */
export type JsonType = (typeof JSON_TYPES)[number];

export const ALL_TYPES: ReadonlySet<JsonType> = new Set(JSON_TYPES);

/** Returns the types of the values that can be valid against a schema, including its references and composition. */
export const getPossibleTypes = memoizeByDepth(inferJsonTypes, ({ booleanValue }) =>
  booleanValue === false ? new Set() : ALL_TYPES,
);

function inferJsonTypes(schema: Schema, depth: number): ReadonlySet<JsonType> {
  const limits: ReadonlySet<string>[] = [];
  const { declaredTypes, listedValues } = schema;
  if (declaredTypes) limits.push(toJsonTypes(declaredTypes));
  if (listedValues) limits.push(new Set(listedValues.map(getJsonType)));
  for (const part of listConjuncts(schema)) limits.push(getPossibleTypes(part, depth - 1));
  for (const branches of schema.unions)
    limits.push(new Set(branches.flatMap((branch) => [...getPossibleTypes(branch, depth - 1)])));
  const types = new Set([...ALL_TYPES].filter((each) => limits.every((limit) => limit.has(each))));
  if (schema.nullable) types.add("null");
  return types;
}

/** Lists the types that the keywords of a schema without `type` imply: its author meant objects or arrays. */
export function listImpliedTypes(schema: Schema): ("object" | "array")[] {
  const has = (keyword: string): boolean => schema.keyword(keyword) !== undefined;
  const isObjectSchema =
    ["properties", "patternProperties", "additionalProperties"].some(has) ||
    schema.required.length > 0 ||
    collectConditionalProperties(schema).size > 0;
  const isArraySchema = ["items", "prefixItems"].some(has);
  return [...(isObjectSchema ? ["object" as const] : []), ...(isArraySchema ? ["array" as const] : [])];
}

/** Converts the names in `type` to JSON types. */
export function toJsonTypes(names: readonly string[]): Set<JsonType> {
  const types = new Set<JsonType>();
  for (const type of ALL_TYPES) if (names.includes(type)) types.add(type);
  return names.includes("integer") ? types.add("number") : types;
}

/** Returns the JSON type of a value, which is `number` for an integer. */
export function getJsonType(value: JsonValue): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  // Safe cast: a JSON value is not a function, symbol, bigint or undefined.
  return typeof value as JsonType;
}
