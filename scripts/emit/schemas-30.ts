import type { JsonObject, JsonValue } from "../model/model.js";
import { isObject } from "../model/node.js";

/**
 * The document with its schemas in draft 2020-12, which OpenAPI 3.1 uses and the validators are compiled from. A 3.0
 * document differs in `nullable` and in exclusive bounds that are flags; one of 3.1 is returned as it is.
 */
export function toDraft2020(document: JsonObject): JsonObject {
  if (!String(document.openapi).startsWith("3.0")) return document;
  const converted = convert(document);
  return isObject(converted) ? converted : document;
}

function convert(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(convert);
  if (!isObject(value)) return value;
  const result: JsonObject = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, convert(member)]),
  );
  for (const [flag, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof result[flag] !== "boolean") continue;
    const limit = result[bound];
    if (result[flag] && typeof limit === "number") {
      result[flag] = limit;
      delete result[bound];
    } else delete result[flag];
  }
  if (result.nullable === true) {
    delete result.nullable;
    return typeof result.$ref === "string" || result.type === undefined
      ? { anyOf: [result, { type: "null" }] }
      : withNull(result);
  }
  return result;
}

function withNull(schema: JsonObject): JsonObject {
  const nullable: JsonObject = { ...schema, type: [schema.type ?? "object", "null"].flat() };
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) nullable.enum = [...schema.enum, null];
  return nullable;
}
