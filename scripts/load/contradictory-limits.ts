import type { JsonObject } from "../json.js";
import type { SchemaCheck } from "./schema-check.js";

/** Keywords with a lower and an upper limit of the same quantity. */
const LIMITS = [
  ["minimum", "maximum"],
  ["exclusiveMinimum", "exclusiveMaximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minContains", "maxContains"],
  ["minProperties", "maxProperties"],
] as const;

/** Finds lower limits above the upper limit, which no number, text, list or object can match. */
export const contradictoryLimits: SchemaCheck = {
  mayFail: (schema) => listContradictions(schema).length > 0,
  findMistakes: (schema) =>
    listContradictions(schema).map(([lower, upper]) => ({
      message: `\`${lower}\` is greater than \`${upper}\`. Correct one of them.`,
      keys: [lower],
    })),
};

function listContradictions(schema: JsonObject): (typeof LIMITS)[number][] {
  return LIMITS.filter(([lower, upper]) => {
    const [minimum, maximum] = [schema[lower], schema[upper]];
    return typeof minimum === "number" && typeof maximum === "number" && minimum > maximum;
  });
}
