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
export const contradictoryLimits: SchemaCheck = (schema) =>
  LIMITS.flatMap(([lower, upper]) => {
    const [minimum, maximum] = [schema[lower], schema[upper]];
    if (typeof minimum !== "number" || typeof maximum !== "number" || minimum < maximum) return [];
    const isEqual = minimum === maximum;
    if (isEqual && !`${lower} ${upper}`.includes("exclusive")) return [];
    const relation = isEqual ? "equal to" : "greater than";
    return {
      keys: [lower],
      describe: () => `\`${lower}\` is ${relation} \`${upper}\`. Correct one of them.`,
    };
  });
