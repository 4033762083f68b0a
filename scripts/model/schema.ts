import type { JsonObject, JsonValue, ScalarType, WireType } from "./model.js";
import { type Node, child, deref, entries, isObject, items } from "./node.js";

const TYPES: readonly string[] = ["string", "number", "integer", "boolean", "array", "object"];

/**
 * How text on the wire (a parameter, a header) becomes a value for this schema. A schema that allows a string
 * among other types reads as a string; one that says nothing about its type, too.
 */
export function wireType(
  document: JsonObject,
  schema: Node | undefined,
  depth = 0,
): Exclude<WireType, "json"> {
  const node = schema && deref(document, schema);
  // Ten levels of composition are more than any parameter has; a cycle ends there too.
  if (!node || !isObject(node.value) || depth > 10) return "string";
  const found = declaredTypes(node.value);
  for (const key of ["allOf", "anyOf", "oneOf"]) {
    for (const member of items(child(node, key))) {
      if (found.length === 0 || key === "anyOf" || key === "oneOf") {
        const target = deref(document, member);
        if (target && isObject(target.value) && target.value.type === "null") continue;
        found.push(wireType(document, member, depth + 1));
      }
    }
  }
  if (found.includes("string")) return "string";
  const first = found[0];
  return isWireType(first) ? first : "string";
}

/** Type of the items of an array schema, for parameters and headers: a scalar. */
export function itemType(document: JsonObject, schema: Node | undefined): ScalarType {
  const node = schema && deref(document, schema);
  return scalar(wireType(document, node && child(node, "items")));
}

/** Types of the named properties of an object schema, for object parameters. */
export function propertyTypes(document: JsonObject, schema: Node | undefined): Record<string, ScalarType> {
  const node = schema && deref(document, schema);
  const types: [string, ScalarType][] = entries(node && child(node, "properties")).map(([name, property]) => [
    name,
    scalar(wireType(document, property)),
  ]);
  return Object.fromEntries(types);
}

function declaredTypes(schema: JsonObject): string[] {
  const { type } = schema;
  const declared = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
  if (declared.length > 0) return declared.filter((name) => name !== "null");
  if (schema.const !== undefined) return [typeOfValue(schema.const)];
  if (Array.isArray(schema.enum)) return schema.enum.filter((value) => value !== null).map(typeOfValue);
  if (schema.properties !== undefined) return ["object"];
  if (schema.items !== undefined) return ["array"];
  return [];
}

function typeOfValue(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function scalar(type: WireType): ScalarType {
  return type === "array" || type === "object" || type === "json" ? "string" : type;
}

function isWireType(type: string | undefined): type is Exclude<WireType, "json"> {
  return type !== undefined && TYPES.includes(type);
}
