import type { SchemaCheck, SchemaMistake } from "./schema-check.js";

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
export const contradictoryLimits: SchemaCheck = (schema) => {
  const mistakes: SchemaMistake[] = [];
  for (const [lower, upper] of LIMITS) {
    const minimum = schema[lower];
    const maximum = typeof minimum === "number" ? schema[upper] : undefined;
    if (typeof minimum !== "number" || typeof maximum !== "number" || minimum < maximum) continue;
    const isEqual = minimum === maximum;
    if (isEqual && !`${lower} ${upper}`.includes("exclusive")) continue;
    const relation = isEqual ? "equal to" : "greater than";
    const message = `\`${lower}\` is ${relation} \`${upper}\`. Correct one of them.`;
    mistakes.push({ path: `/${lower}`, describe: () => message });
  }
  return mistakes;
};
