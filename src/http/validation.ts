import { RequestRefused } from "./errors.js";
import type { ValidationError, Validator } from "./types.js";

/** Longest piece of a refused value that a message shows. */
const SHOWN = 100;

const TYPES: Record<string, string> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
  null: "null",
};

const FORMATS: Record<string, string> = {
  uuid: "a valid uuid",
  date: "a valid ISO 8601 date string",
  "date-time": "a valid ISO 8601 date-time string",
  email: "a valid email address",
  ipv4: "a valid IPv4 address",
};

/** What a value that misses a pattern should have been, by pattern. */
export type Expectations = Readonly<Record<string, string>>;

/**
 * Checks one part of a request.
 *
 * @param part name of the part, first step of the path in messages: `body`, `path`, `query`, ...
 * @throws RequestRefused whose message names the place, the expectation and the value that was seen
 */
export function validate(
  validator: Validator,
  part: string,
  value: unknown,
  expectations: Expectations,
): void {
  if (!validator(value))
    throw new RequestRefused("invalid_value", describe(validator.errors ?? [], part, value, expectations));
}

function describe(
  errors: ValidationError[],
  part: string,
  value: unknown,
  expectations: Expectations,
): string {
  const lines = errors
    // The reasons of each branch stand before the error of the union itself.
    .filter((error, _, all) => all.length === 1 || !["anyOf", "oneOf", "if"].includes(error.keyword))
    .map((error) => sentence(error, part, value, expectations));
  const different = [...new Set(lines)];
  return different.length > 1
    ? `${part} failed validation. Fix one:\n${different.join("\n")}`
    : `${part} failed validation: ${different[0] ?? `${part} is not valid.`}`;
}

function sentence(error: ValidationError, part: string, value: unknown, expectations: Expectations): string {
  const steps = error.instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const { keyword, params } = error;
  for (const name of ["missingProperty", "additionalProperty", "unevaluatedProperty"]) {
    if (typeof params[name] === "string") steps.push(params[name]);
  }
  const seen = valueAt(value, steps);
  const length = /^(?:min|max)(?:Length|Items)$/.test(keyword);
  const place = `${part}${steps.map((step) => pathStep(step)).join("")}${length ? ".length" : ""}`;
  const size = typeof seen === "string" ? [...seen].length : Array.isArray(seen) ? seen.length : seen;
  return `${place} should be ${expectation(error, expectations)}, instead was ${show(length ? size : seen)}.`;
}

function expectation({ keyword, params, message }: ValidationError, expectations: Expectations): string {
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return "defined";
    case "additionalProperties":
    case "unevaluatedProperties":
    case "false schema":
      return "not present";
    case "type":
      return [params.type]
        .flat()
        .map((type) => TYPES[String(type)] ?? String(type))
        .join(" or ");
    case "enum":
      return [params.allowedValues]
        .flat()
        .map((value) => `\`${JSON.stringify(value)}\``)
        .join(", or ");
    case "const":
      return `\`${JSON.stringify(params.allowedValue)}\``;
    case "format":
      return FORMATS[String(params.format)] ?? `a valid ${String(params.format)}`;
    case "pattern":
      return expectations[String(params.pattern)] ?? `a string that matches \`${String(params.pattern)}\``;
    case "minLength":
    case "minItems":
    case "minimum":
      return `≥ \`${String(params.limit)}\``;
    case "maxLength":
    case "maxItems":
    case "maximum":
      return `≤ \`${String(params.limit)}\``;
    case "exclusiveMinimum":
      return `> \`${String(params.limit)}\``;
    case "exclusiveMaximum":
      return `< \`${String(params.limit)}\``;
    case "minProperties":
      return `an object with at least ${String(params.limit)} of the documented properties`;
    case "maxProperties":
      return `an object with at most ${String(params.limit)} properties`;
    case "multipleOf":
      return `a multiple of \`${String(params.multipleOf)}\``;
    case "uniqueItems":
      return "an array without duplicates";
    default:
      return `valid (${message ?? keyword})`;
  }
}

function pathStep(step: string): string {
  if (/^\d+$/.test(step)) return `[${step}]`;
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

function valueAt(value: unknown, steps: string[]): unknown {
  let current = value;
  for (const step of steps) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, step)) return undefined;
    // The cast: any object can be read by the name of an own property.
    current = (current as Record<string, unknown>)[step];
  }
  return current;
}

function show(value: unknown): string {
  const text = value === undefined ? "undefined" : JSON.stringify(value);
  return `\`${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}\``;
}
