import type { JsonObject } from "../json.js";
import type { SchemaCheck } from "./schema-check.js";

/** Keywords with a lower and an upper limit of the same quantity. */
const LIMITS = [
  ["minimum", "maximum"],
  ["minimum", "exclusiveMaximum"],
  ["exclusiveMinimum", "maximum"],
  ["exclusiveMinimum", "exclusiveMaximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minContains", "maxContains"],
  ["minProperties", "maxProperties"],
] as const;

/** Finds pairs of limits that no number, text, list or object can match. */
export const contradictoryLimits: SchemaCheck = {
  mayFail: (schema) => listContradictions(schema).length > 0,
  findMistakes: (schema) =>
    listContradictions(schema).map(([lower, upper]) => ({
      message: `\`${lower}\` is ${schema[lower] === schema[upper] ? "equal to" : "greater than"} \`${upper}\`. Correct one of them.`,
      keys: [lower],
    })),
};

function listContradictions(schema: JsonObject): (typeof LIMITS)[number][] {
  return LIMITS.filter(([lower, upper]) => {
    const [minimum, maximum] = [schema[lower], schema[upper]];
    if (typeof minimum !== "number" || typeof maximum !== "number") return false;
    return minimum > maximum || (minimum === maximum && `${lower} ${upper}`.includes("exclusive"));
  });
}
