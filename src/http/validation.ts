import { RequestRefused } from "./errors.js";
import type { ValidationError, Validator } from "./types.js";

/** Maximum length of a value or name in a message. */
const MAX_SHOWN_CHARACTERS = 100;
/** Maximum number of lines under `Fix one:`. */
const MAX_LISTED_ERRORS = 5;
/** Maximum number of allowed values in a message. */
const MAX_LISTED_VALUES = 30;

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

/** Descriptions of patterns for messages, such as "a valid uuid", by pattern. */
export type Expectations = Readonly<Record<string, string>>;

/**
 * Checks one part of a request.
 *
 * @param part name of the part, with which locations in messages begin: `body`, `path`, `query`, ...
 * @throws RequestRefused whose message names the location, the expected and the actual value
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

/**
 * Describes validation errors by location, expected and actual value: `body failed validation: body.a should be a
 * string, instead was \`1\`.` For a union, the errors of its branches are listed under `Fix one:`, closest match first.
 */
export function describe(
  errors: readonly ValidationError[],
  part: string,
  value: unknown,
  expectations: Expectations,
): string {
  const lines = errors.flatMap(expandUnion).map((error) => describeError(error, part, value, expectations));
  const different = [...new Set(lines)];
  if (different.length <= 1) return `${part} failed validation: ${different[0] ?? `${part} is not valid.`}`;
  const left = different.length - MAX_LISTED_ERRORS;
  const listed = left > 0 ? [...different.slice(0, MAX_LISTED_ERRORS), `(${left} more)`] : different;
  return `${part} failed validation. Fix one:\n${listed.join("\n")}`;
}

/** Expands an error of a union to those of its branches, without the branches that were clearly not intended. */
function expandUnion(error: ValidationError): ValidationError[] {
  const branches = (error.branches ?? []).filter((branch) => branch.length > 0);
  if (branches.length === 0) return [error];
  const here = error.instancePath;
  const ofType = branches.filter(([first]) => !(first?.keyword === "type" && first.instancePath === here));
  const intended = ofType.filter(([first]) => !(first && isDiscriminator(first, here)));
  const chosen = [intended, ofType, branches].find((each) => each.length > 0);
  return (chosen ?? [])
    .map((branch) => branch.flatMap(expandUnion))
    .map((branch) => ({ branch, depth: depthOf(branch) }))
    .sort((one, other) => other.depth - one.depth)
    .flatMap(({ branch }) => branch);
}

/** Whether an error is about a discriminator, a constant property directly in the value. */
function isDiscriminator({ keyword, instancePath }: ValidationError, here: string): boolean {
  return (keyword === "const" || keyword === "enum") && /^\/[^/]*$/.test(instancePath.slice(here.length));
}

/** Depth of the deepest error of a branch. The deeper, the closer the value is to matching the branch. */
function depthOf(branch: readonly ValidationError[]): number {
  return Math.max(0, ...branch.map(({ instancePath }) => instancePath.split("/").length));
}

function describeError(
  error: ValidationError,
  part: string,
  value: unknown,
  expectations: Expectations,
): string {
  const steps = error.instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const { keyword, params } = error;
  for (const name of ["missingProperty", "additionalProperty", "unevaluatedProperty", "propertyName"]) {
    if (typeof params[name] === "string") steps.push(params[name]);
  }
  const seen = valueAt(value, steps);
  const length = /^(?:min|max)(?:Length|Items)$/.test(keyword);
  const location = `${part}${steps.map((step) => pathStep(step)).join("")}${length ? ".length" : ""}`;
  const size = typeof seen === "string" ? [...seen].length : Array.isArray(seen) ? seen.length : seen;
  return `${location} should be ${expectation(error, expectations)}, instead was ${show(length ? size : seen)}.`;
}

function expectation({ keyword, params }: ValidationError, expectations: Expectations): string {
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return "defined";
    case "additionalProperties":
    case "unevaluatedProperties":
    case "propertyNames":
    case "false schema":
      return "not present";
    case "type":
      return [params.type]
        .flat()
        .map((type) => TYPES[String(type)] ?? String(type))
        .join(" or ");
    case "enum":
      return allowed([params.allowedValues].flat());
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
    case "contains":
      return contains(params);
    default:
      return `valid (${OTHER_EXPECTATIONS[keyword] ?? keyword})`;
  }
}

/** Expected values by keyword, for keywords without a better description. */
const OTHER_EXPECTATIONS: Record<string, string> = {
  not: "must NOT be valid",
  anyOf: "must match a schema in anyOf",
  oneOf: "must match exactly one schema in oneOf",
  nesting: "nested too deeply",
};

function allowed(values: unknown[]): string {
  if (values.length === 0) return "not present";
  const shown = values.slice(0, MAX_LISTED_VALUES).map((value) => `\`${JSON.stringify(value)}\``);
  if (values.length > MAX_LISTED_VALUES)
    shown.push(`one of ${values.length - MAX_LISTED_VALUES} more values`);
  return shown.join(", or ");
}

function contains({ minContains, maxContains }: Record<string, unknown>): string {
  const limits = [
    ...(minContains === 0 ? [] : [`at least ${String(minContains)}`]),
    ...(maxContains === undefined ? [] : [`at most ${String(maxContains)}`]),
  ];
  return `an array with ${limits.join(" and ")} of the items described`;
}

function pathStep(step: string): string {
  if (/^\d+$/.test(step)) return `[${step.slice(0, MAX_SHOWN_CHARACTERS)}]`;
  const name = step.length > MAX_SHOWN_CHARACTERS ? `${step.slice(0, MAX_SHOWN_CHARACTERS)}…` : step;
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
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
  const text = preview(value, MAX_SHOWN_CHARACTERS + 1);
  return `\`${text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text}\``;
}

/** Returns the beginning of a value's JSON, at least `enough` characters, without reading all of a large value. */
function preview(value: unknown, enough: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, enough));
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? String(value);
  if (ArrayBuffer.isView(value) || value instanceof Blob) return "binary";
  const isArray = Array.isArray(value);
  let text = isArray ? "[" : "{";
  for (const [key, member] of membersOf(value)) {
    if (text.length >= enough) return text;
    const left = enough - text.length;
    const comma = text.length > 1 ? "," : "";
    text += `${comma}${isArray ? "" : `${preview(key, left)}:`}${preview(member, left)}`;
  }
  return text + (isArray ? "]" : "}");
}

function* membersOf(value: object): Generator<[string, unknown]> {
  // The cast: any object can be read by its own property names.
  for (const key in value) yield [key, (value as Record<string, unknown>)[key]];
}
