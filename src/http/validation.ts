import { InvalidRequestError, MAX_SHOWN_CHARACTERS, shorten } from "./errors.js";
import type { ValidationError, Validator } from "./types.js";

/** Maximum number of errors in a message, and of alternatives under `Fix one:`. */
const MAX_LISTED_ERRORS = 10;
/** Maximum number of allowed values in a message. */
const MAX_LISTED_VALUES = 30;

const TYPE_DESCRIPTIONS: Record<string, string> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
  null: "null",
};

const FORMAT_DESCRIPTIONS: Record<string, string> = {
  uuid: "a valid uuid",
  date: "a valid ISO 8601 date string",
  "date-time": "a valid ISO 8601 date-time string",
  email: "a valid email address",
  ipv4: "a valid IPv4 address",
};

/**
 * Checks one part of a request.
 *
 * @param part the part's name, which starts the locations in messages: `body`, `path`, `query`, ...
 * @throws InvalidRequestError whose message names the location, the expected and the actual value
 */
export function validate(validator: Validator, part: string, value: unknown): void {
  if (!validator(value))
    throw new InvalidRequestError("invalid_value", describeErrors(validator.errors ?? [], part, value));
}

/**
 * Describes validation errors by location, expected and actual value, one per line: `body failed validation: body.a should be
 * a string, instead was \`1\`.` If several branches of a union can be intended, the first error of each is listed under
 * `Fix one:`, closest match first. Only one union is listed in this way.
 */
export function describeErrors(errors: readonly ValidationError[], part: string, value: unknown): string {
  const describe = (list: readonly ValidationError[]): string[] => [
    ...new Set(list.map((error) => describeError(error, part, value))),
  ];
  const { causes, alternatives } = findCauses(errors);
  const options = describe(alternatives);
  if (options.length <= 1) {
    const lines = describe([...causes, ...alternatives]);
    return `${part} failed validation: ${lines.length === 0 ? `${part} is not valid.` : joinLines(lines)}`;
  }
  const choice = `Fix one:\n${joinLines(options)}`;
  if (causes.length === 0) return `${part} failed validation. ${choice}`;
  return `${part} failed validation: ${joinLines(describe(causes))}\n${choice}`;
}

/** Joins the first lines, and the number of the others. */
function joinLines(lines: readonly string[]): string {
  const hiddenCount = lines.length - MAX_LISTED_ERRORS;
  const more = hiddenCount > 0 ? [`(${hiddenCount} more)`] : [];
  return [...lines.slice(0, MAX_LISTED_ERRORS), ...more].join("\n");
}

/** The errors that must all be fixed, and those of the branches of a union, of which one must be fixed. */
interface Causes {
  causes: ValidationError[];
  alternatives: ValidationError[];
}

/** Replaces the errors of unions by those of their intended branches. */
function findCauses(errors: readonly ValidationError[]): Causes {
  const found: Causes = { causes: [], alternatives: [] };
  for (const error of errors) {
    const branches = rankBranches(error);
    const [only] = branches;
    const inner: Causes =
      only && branches.length === 1
        ? findCauses(only.errors)
        : { causes: only ? [] : [error], alternatives: branches.flatMap(({ firstErrors }) => firstErrors) };
    found.causes.push(...inner.causes);
    if (found.alternatives.length === 0) found.alternatives = inner.alternatives;
  }
  return found;
}

/** An intended branch of a union. */
interface Branch {
  errors: ValidationError[];
  /** The first of the errors. If it is the error of a union, the first errors of its branches. */
  firstErrors: ValidationError[];
  /** Number of steps in the path of the deepest of the first errors. */
  depth: number;
}

/**
 * Returns the intended branches of a union, closest match first; no branches for any other error, and for a value that matches
 * several branches of `oneOf`. The deeper the first error of a branch is, the closer the value is to matching it.
 */
function rankBranches({ branches = [], instancePath, params }: ValidationError): Branch[] {
  if (Array.isArray(params.passing) && params.passing.length > 0) return [];
  return selectIntendedBranches(branches, instancePath)
    .map((errors): Branch => {
      const firstErrors = errors.slice(0, 1).flatMap(findFirstErrors);
      const depths = firstErrors.map((error) => error.instancePath.split("/").length);
      return { errors, firstErrors, depth: Math.max(...depths) };
    })
    .sort((one, other) => other.depth - one.depth);
}

function findFirstErrors(error: ValidationError): ValidationError[] {
  const branches = rankBranches(error);
  return branches.length === 0 ? [error] : branches.flatMap(({ firstErrors }) => firstErrors);
}

/**
 * Selects the branches of a union that the sender of the value can have intended: those that allow its type, and of these
 * the ones with its discriminator value. A selection that excludes every branch is not made.
 */
function selectIntendedBranches(branches: ValidationError[][], path: string): ValidationError[][] {
  const typed = branches.filter(([first]) => !(first?.keyword === "type" && first.instancePath === path));
  const discriminated = typed.filter(([first]) => !(first && isDiscriminatorError(first, path)));
  return [discriminated, typed].find((each) => each.length > 0) ?? branches;
}

/** Whether an error concerns a discriminator: a property directly in the value with `const` or `enum`. */
function isDiscriminatorError({ keyword, instancePath }: ValidationError, path: string): boolean {
  return (keyword === "const" || keyword === "enum") && /^\/[^/]*$/.test(instancePath.slice(path.length));
}

function describeError(error: ValidationError, part: string, value: unknown): string {
  const segments = parsePath(error.instancePath);
  const { keyword, params } = error;
  for (const name of ["missingProperty", "additionalProperty", "unevaluatedProperty", "propertyName"]) {
    if (typeof params[name] === "string") segments.push(params[name]);
  }
  const actual = getValueAt(value, segments);
  const isLength = /^(?:min|max)(?:Length|Items)$/.test(keyword);
  const location = `${part}${segments.map(formatPathSegment).join("")}${isLength ? ".length" : ""}`;
  const actualLength =
    typeof actual === "string" ? [...actual].length : Array.isArray(actual) ? actual.length : actual;
  // The text of an integer in a parameter or a form stays text if JavaScript's numbers would round it.
  const isRounded =
    typeof actual === "string" && /^-?\d+$/.test(actual) && !Number.isSafeInteger(Number(actual));
  const isInteger = [params.type].flat().includes("integer");
  const range = isInteger && isRounded ? ` within ±${Number.MAX_SAFE_INTEGER}` : "";
  const expected = `${describeExpected(error)}${range}`;
  return `${location} should be ${expected}, instead was ${formatValue(isLength ? actualLength : actual)}.`;
}

/** Expected values by keyword, with names of parameters in braces. */
const EXPECTATIONS: Record<string, string> = {
  required: "defined",
  dependentRequired: "defined",
  additionalProperties: "not present",
  unevaluatedProperties: "not present",
  propertyNames: "not present",
  "false schema": "not present",
  minLength: "≥ `{limit}`",
  minItems: "≥ `{limit}`",
  minimum: "≥ `{limit}`",
  maxLength: "≤ `{limit}`",
  maxItems: "≤ `{limit}`",
  maximum: "≤ `{limit}`",
  exclusiveMinimum: "> `{limit}`",
  exclusiveMaximum: "< `{limit}`",
  minProperties: "an object with at least {limit} properties",
  maxProperties: "an object with at most {limit} properties",
  multipleOf: "a multiple of `{multipleOf}`",
  uniqueItems: "an array without duplicates",
  anyOf: "a value that matches a schema in `anyOf`",
  oneOf: "a value that matches exactly one schema in `oneOf`",
  not: "a value that does not match the schema in `not`",
  nesting: "nested less deeply",
};

function describeExpected({ keyword, params }: ValidationError): string {
  switch (keyword) {
    case "type":
      if (Array.isArray(params.allowedValues)) return describeAllowedValues(params.allowedValues);
      return [params.type]
        .flat()
        .map((type) => TYPE_DESCRIPTIONS[String(type)] ?? String(type))
        .join(" or ");
    case "enum":
      return describeAllowedValues([params.allowedValues].flat());
    case "const":
      return `\`${JSON.stringify(params.allowedValue)}\``;
    case "format":
      return FORMAT_DESCRIPTIONS[String(params.format)] ?? `a valid ${String(params.format)}`;
    case "pattern":
      return String(params.expected ?? `a string that matches \`${String(params.pattern)}\``);
    case "contains":
      return describeContains(params);
    default: {
      const text = EXPECTATIONS[keyword] ?? `valid (${keyword})`;
      return text
        .replace(/\{(\w+)\}/, (_, name: string) => String(params[name]))
        .replace(/ 1 properties$/, " 1 property");
    }
  }
}

function describeAllowedValues(values: unknown[]): string {
  if (values.length === 0) return "not present";
  const shown = values.slice(0, MAX_LISTED_VALUES).map((value) => `\`${JSON.stringify(value)}\``);
  const hidden = values.length - shown.length;
  if (hidden > 0) shown.push(hidden === 1 ? "one more value" : `one of ${hidden} more values`);
  return shown.join(", or ");
}

function describeContains({ minContains, maxContains }: Record<string, unknown>): string {
  const limits = [
    ...(minContains === 0 ? [] : [`at least ${String(minContains)}`]),
    ...(maxContains === undefined ? [] : [`at most ${String(maxContains)}`]),
  ];
  return `an array with ${limits.join(" and ")} of the items described`;
}

/** Formats a name or an index of a path like JavaScript: `.name`, `["a name"]` or `[0]`. */
export function formatPathSegment(segment: string): string {
  if (/^\d+$/.test(segment)) return `[${segment.slice(0, MAX_SHOWN_CHARACTERS)}]`;
  const name = shorten(segment);
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** Splits the JSON pointer of an error into names and indexes. */
export function parsePath(instancePath: string): string[] {
  return instancePath
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the member of a value at a path; undefined if there is none. */
export function getValueAt(value: unknown, segments: readonly string[]): unknown {
  let current = value;
  for (const segment of segments) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = Reflect.get(current, segment);
  }
  return current;
}

function formatValue(value: unknown): string {
  return `\`${shorten(previewJson(value, MAX_SHOWN_CHARACTERS + 1))}\``;
}

/** Returns at least the first `minCharacters` characters of a value's JSON, without serializing all of a large value. */
function previewJson(value: unknown, minCharacters: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, minCharacters));
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? String(value);
  if (ArrayBuffer.isView(value) || value instanceof Blob) return "binary";
  const isArray = Array.isArray(value);
  let text = isArray ? "[" : "{";
  for (const key in value) {
    if (text.length >= minCharacters) return text;
    const member: unknown = Reflect.get(value, key);
    const remaining = minCharacters - text.length;
    const comma = text.length > 1 ? "," : "";
    text += `${comma}${isArray ? "" : `${previewJson(key, remaining)}:`}${previewJson(member, remaining)}`;
  }
  return text + (isArray ? "]" : "}");
}
