import type { JsonObject, JsonValue } from "../../model/model.js";
import { isObject } from "../../model/node.js";
import { type Prepared, type PreparedSchema, SPECIAL, type Special } from "./nodes.js";

/** Line ends that JSON does not write as escapes: the compiler's printer would break the line in a literal there. */
const LINE_ENDS = /[\u0085\u2028\u2029]/;

/** The values of `const` and `enum` that the declared type allows; undefined when there is neither. */
export function literals(schema: JsonObject): Prepared | undefined {
  const { const: constant, enum: list, type } = schema;
  if (constant === undefined && !Array.isArray(list)) return undefined;
  const given = constant !== undefined ? [constant] : Array.isArray(list) ? list : [];
  const types = type === undefined ? undefined : Array.isArray(type) ? type : [type];
  const values = given.filter(
    (value) =>
      (typeof value !== "number" || Number.isFinite(value)) &&
      (!types || types.some((each) => isOfType(value, each))),
  );
  if (values.length === 0) return false;
  if (values.length === 1 && values[0] === null) return { type: "null" };
  if (LINE_ENDS.test(JSON.stringify(values))) {
    return oneOf(values.map((value) => special({ kind: "literal", value })));
  }
  const [first] = values;
  if (values.length === 1 && constant !== undefined && first !== undefined) return { const: first };
  // For the comment alone.
  const scalar = typeof first === "string" || typeof first === "number" ? typeof first : undefined;
  const isUniform =
    scalar !== undefined && values.every((value) => value === null || typeof value === scalar);
  return { enum: [...new Set(values)], ...(isUniform ? { type: scalar } : {}) };
}

function isOfType(value: JsonValue, type: JsonValue): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return typeof value === "number" && Number.isInteger(value);
  return typeof value === type;
}

/** What openapi-typescript has no schema for; our transform writes it. */
export function special(what: Special): PreparedSchema {
  // openapi-typescript makes an array of what has this type; of another that it is written as one, it makes none.
  return { type: what.kind === "tuple" ? "array" : "special", [SPECIAL]: what };
}

/** Whether it allows every value. */
export function isAnything(schema: Prepared): boolean {
  return schema === true || (schema !== false && Object.keys(schema).length === 0);
}

/** A schema that allows what all of some schemas allow. */
export function allOf(parts: Prepared[]): Prepared {
  if (parts.includes(false)) return false;
  const saying = parts.filter((part) => !isAnything(part));
  const [only, ...others] = saying;
  if (only === undefined) return {};
  if (others.length === 0) return only;
  return {
    allOf: saying.flatMap((part) => (part !== true && part !== false && part.allOf ? part.allOf : [part])),
  };
}

/** A schema that allows what any of some schemas allows. */
export function oneOf(parts: Prepared[]): Prepared {
  const possible = parts.filter((part) => part !== false);
  const [only, ...others] = possible;
  if (only === undefined) return false;
  if (others.length === 0) return only;
  if (possible.some(isAnything)) return {};
  return { oneOf: possible.flatMap((part) => (part !== true && part.oneOf ? part.oneOf : [part])) };
}

/** A schema of which the property that a discriminator names has one of some values. */
export function withValues(schema: Prepared, property: string, values: JsonValue[]): Prepared {
  return allOf([schema, { type: "object", properties: Object.fromEntries([[property, { enum: values }]]) }]);
}

/** Adds what openapi-typescript writes into the comment. */
export function annotated(prepared: Prepared, schema: JsonValue): Prepared {
  if (!isObject(schema)) return prepared;
  const notes: Record<string, JsonValue> = {};
  for (const key of ["title", "description", "format"]) {
    const text = schema[key];
    if (typeof text === "string") notes[key] = text;
  }
  if (schema.deprecated === true) notes.deprecated = true;
  for (const key of ["default", "example"]) {
    const value = schema[key];
    if (value !== undefined) notes[key] = value;
  }
  if (Array.isArray(schema.examples)) notes.examples = schema.examples;
  if (Object.keys(notes).length === 0) return prepared;
  return prepared === false ? prepared : { ...(prepared === true ? {} : prepared), ...notes };
}
