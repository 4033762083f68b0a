import type { JsonObject, JsonValue } from "../model/model.js";
import { SchemaProblem, type SchemaNode } from "./schema.js";

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

const NAMES: ReadonlySet<string> = new Set([...ALL_TYPES, "integer"]);

/**
 * What the keyword `type` lists; undefined without one.
 * @throws SchemaProblem for what is no type
 */
export function declaredTypes(node: SchemaNode, values: JsonObject): string[] | undefined {
  const { type } = values;
  if (type === undefined) return undefined;
  const names = [type].flat();
  for (const name of names) {
    if (typeof name !== "string" || !NAMES.has(name)) {
      throw new SchemaProblem(
        node,
        `type cannot be ${JSON.stringify(name)}; it is one of ${[...NAMES].join(", ")}`,
      );
    }
  }
  // The cast: the loop has seen that they are strings.
  return names as string[];
}

/** The types of values that a list of names of types stands for. */
export function toJsonTypes(names: readonly string[]): Set<JsonType> {
  // The cast: `declaredTypes` lets nothing else through.
  return new Set(names.map((name) => (name === "integer" ? "number" : (name as JsonType))));
}

/** The JSON type of a value. */
export function typeOf(value: JsonValue): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  // The cast: a JSON value is no function, symbol, bigint or undefined.
  return typeof value as JsonType;
}

/** An expression that is true for values of the type. JSON.parse reads 1e400 as Infinity, which is no number of JSON. */
export function isType(type: string, value: string): string {
  switch (type) {
    case "null":
      return `${value} === null`;
    case "array":
      return `Array.isArray(${value})`;
    case "object":
      return `isObject(${value})`;
    case "integer":
      return `Number.isInteger(${value})`;
    case "number":
      return `Number.isFinite(${value})`;
    default:
      return `typeof ${value} === "${type}"`;
  }
}

/** An expression that is true for values of none of the types. */
export function isNoType(types: readonly string[], value: string): string {
  return types
    .map((type) => {
      const test = isType(type, value);
      return test.includes(" === ") ? test.replace(" === ", " !== ") : `!${test}`;
    })
    .join(" && ");
}
