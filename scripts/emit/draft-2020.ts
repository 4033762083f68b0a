import type { JsonObject, JsonValue } from "../model/model.js";
import { isObject } from "../model/node.js";

/** Keywords whose value is data: it may look like a schema and is none. */
const DATA = new Set(["const", "enum", "default", "example", "examples"]);
/** Members whose own members go by names that the document chose: `default` is no keyword there. */
const NAMED = new Set(
  (
    "properties patternProperties $defs definitions dependentSchemas " +
    "schemas parameters requestBodies responses headers pathItems"
  ).split(" "),
);
const NULL: JsonObject = { type: "null" };

/**
 * The document with its schemas in draft 2020-12, from which the validators are compiled. OpenAPI 3.0 differs in
 * `nullable` and in exclusive bounds that are flags. Many documents of 3.1 still have both: they mean the same there,
 * and types.ts reads them so.
 */
export function toDraft2020(document: JsonObject): JsonObject {
  const converted = convert(document);
  return isObject(converted) ? converted : document;
}

function convert(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(convert);
  if (!isObject(value)) return value;
  const result: JsonObject = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, convertMember(key, member)]),
  );
  convertBound(result, "exclusiveMinimum", "minimum");
  convertBound(result, "exclusiveMaximum", "maximum");
  if (typeof result.nullable !== "boolean") return result;
  const { nullable, ...schema } = result;
  return nullable ? withNull(schema) : schema;
}

function convertMember(key: string, member: JsonValue): JsonValue {
  if (DATA.has(key)) return member;
  if (!NAMED.has(key) || !isObject(member)) return convert(member);
  return Object.fromEntries(Object.entries(member).map(([name, named]) => [name, convert(named)]));
}

/** `exclusiveMinimum: true` makes a limit of `minimum`; false says nothing. */
function convertBound(
  schema: JsonObject,
  flag: "exclusiveMinimum" | "exclusiveMaximum",
  bound: "minimum" | "maximum",
): void {
  const exclusive = schema[flag];
  if (typeof exclusive !== "boolean") return;
  delete schema[flag];
  const limit = schema[bound];
  if (!exclusive || typeof limit !== "number") return;
  schema[flag] = limit;
  delete schema[bound];
}

/**
 * A schema that allows null besides. What a `$ref` can point into stays in its place: keywords such as `properties`
 * say nothing about null, so that only those that do are changed.
 */
function withNull(schema: JsonObject): JsonObject {
  const result = { ...schema };
  if (result.type !== undefined) result.type = [...new Set([result.type, "null"].flat())];
  if (Array.isArray(result.enum) && !result.enum.includes(null)) result.enum = [...result.enum, null];
  if (Array.isArray(result.anyOf)) result.anyOf = [...result.anyOf, NULL];
  const others = ["$ref", "allOf", "oneOf", "not", "if", "const"].some((key) => result[key] !== undefined);
  return others ? { anyOf: [schema, NULL] } : result;
}
