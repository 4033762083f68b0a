import type { JsonObject, JsonValue } from "./model.js";
import { isObject } from "./node.js";

type Shape = "one" | "list" | "map";

/** What the value of a keyword is: a schema, a list of schemas, or schemas by names that the document chose. */
const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ...shaped("one", [
    // A list of schemas in old drafts.
    "items",
    "additionalItems",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contains",
    "propertyNames",
    "contentSchema",
    "not",
    "if",
    "then",
    "else",
  ]),
  ...shaped("list", ["allOf", "anyOf", "oneOf", "prefixItems"]),
  ...shaped("map", ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]),
]);

function shaped(shape: Shape, keywords: string[]): [string, Shape][] {
  return keywords.map((keyword) => [keyword, shape]);
}

/** Keywords whose schemas judge the same value as the schema that they stand in. */
export const IN_PLACE: ReadonlySet<string> = new Set([
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
]);

/** Changes the schemas that stand directly in a schema; gives the same object when none of them changed. */
export function mapSubschemas(
  schema: JsonObject,
  change: (subschema: JsonValue, keyword: string, name: string | undefined) => JsonValue,
): JsonObject {
  let result = schema;
  for (const keyword of Object.keys(schema)) {
    const shape = SHAPES.get(keyword);
    const value = schema[keyword];
    if (shape === undefined || value === undefined) continue;
    let changed = value;
    if (shape === "map") {
      if (isObject(value)) changed = mapMembers(value, (member, name) => change(member, keyword, name));
    } else if (Array.isArray(value)) {
      changed = mapItems(value, (item) => change(item, keyword, undefined));
    } else if (shape === "one") {
      changed = change(value, keyword, undefined);
    }
    if (changed === value) continue;
    if (result === schema) result = { ...schema };
    result[keyword] = changed;
  }
  return result;
}

/** Visits every schema that stands directly in a schema. */
export function visitSubschemas(
  schema: JsonObject,
  visit: (subschema: JsonValue, keyword: string) => void,
): void {
  for (const keyword of Object.keys(schema)) {
    const shape = SHAPES.get(keyword);
    const value = schema[keyword];
    if (shape === undefined || value === undefined) continue;
    if (shape === "map") {
      if (isObject(value)) for (const name of Object.keys(value)) visit(value[name] ?? null, keyword);
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, keyword);
    } else if (shape === "one") {
      visit(value, keyword);
    }
  }
}

/** Changes the items of a list; gives the same list when none of them changed. */
export function mapItems(list: JsonValue[], change: (item: JsonValue) => JsonValue): JsonValue[] {
  const changed = list.map((item) => change(item));
  return changed.some((item, index) => item !== list[index]) ? changed : list;
}

/** Changes the members of an object; gives the same object when none of them changed. */
export function mapMembers(
  object: JsonObject,
  change: (member: JsonValue, name: string) => JsonValue,
): JsonObject {
  let members: Map<string, JsonValue> | undefined;
  for (const name of Object.keys(object)) {
    const member = object[name] ?? null;
    const changed = change(member, name);
    if (changed !== member) members = (members ?? new Map()).set(name, changed);
  }
  if (!members) return object;
  const changes = members;
  return Object.fromEntries(
    Object.entries(object).map(([name, member]) => [name, changes.get(name) ?? member]),
  );
}
