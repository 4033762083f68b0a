import { ALL_TYPES } from "../../../model/schema/composition.js";
import type { Schema } from "../../../model/schema/schema.js";
import { SchemaProblem } from "./problem.js";

const TYPE_NAMES: ReadonlySet<string> = new Set([...ALL_TYPES, "integer"]);

/**
 * Reads the types of the keyword `type`; undefined without it.
 *
 * @throws SchemaProblem for an unknown type
 */
export function readTypes(schema: Schema): string[] | undefined {
  const type = schema.keyword("type");
  if (type === undefined) return undefined;
  const names = [type].flat();
  if (names.length === 0) throw new SchemaProblem(schema, "type must name at least one type", "type");
  for (const name of names) {
    if (typeof name !== "string" || !TYPE_NAMES.has(name)) {
      throw new SchemaProblem(
        schema,
        `type cannot be ${JSON.stringify(name)}; it is one of ${[...TYPE_NAMES].join(", ")}`,
        "type",
      );
    }
  }
  // The cast: the loop has checked that they are strings.
  return names as string[];
}

/**
 * Prints a condition that is true for values of a type. JSON.parse reads 1e400 as Infinity, which is not a JSON number.
 */
export function printTypeTest(type: string, value: string): string {
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

/** Prints a condition that is true for values of none of the types. */
export function printNegatedTypeTest(types: readonly string[], value: string): string {
  return types
    .map((type) => {
      const test = printTypeTest(type, value);
      return test.includes(" === ") ? test.replace(" === ", " !== ") : `!${test}`;
    })
    .join(" && ");
}
