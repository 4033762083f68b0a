/**
 * The source code of the functions that compiled validators call, by name. The output contains those that it needs, so that
 * it imports nothing.
 */
export const HELPERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    codePoints: `/** Length of a text in code points. */
function codePoints(text) {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}`,
    isMultiple: `/**
 * Whether one decimal number is a multiple of another. Compares the decimal texts, not the inexact binary values.
 * \`scale\` makes the divisor an integer, so that small numbers are compared with integer arithmetic: in 10 ns instead of 1 µs.
 */
function isMultiple(value, divisor, scale) {
  // JSON.parse reads 1e400 as Infinity, which has no decimal digits.
  if (!Number.isFinite(value)) return false;
  const scaled = Math.round(value * scale);
  if (Math.abs(scaled) <= 1e15) {
    return value === scaled / scale && scaled % Math.round(divisor * scale) === 0;
  }
  const [digits, exponent] = decimal(value);
  const [divisorDigits, divisorExponent] = decimal(divisor);
  const shared = Math.min(exponent, divisorExponent);
  const aligned = (number, by) => number * 10n ** BigInt(by - shared);
  return aligned(digits, exponent) % aligned(divisorDigits, divisorExponent) === 0n;
}

function decimal(number) {
  const [mantissa, exponent = "0"] = String(number).split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}`,
    isEqual: `/** Whether two JSON values are equal. It calls no methods of a value: a request could define them. */
function isEqual(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(other, key) || !isEqual(one[key], other[key])) return false;
  }
  return true;
}`,
    isUnique: `/** Whether no two items are equal. */
function isUnique(items) {
  if (new Set(items).size < items.length) return false;
  // A set compares objects by identity.
  const objects = items.filter((item) => typeof item === "object" && item !== null);
  return new Set(objects.map(canonicalText)).size === objects.length;
}

/** The JSON of a value with sorted keys. */
function canonicalText(value) {
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return \`[\${value.map(canonicalText).join()}]\`;
  const members = Object.keys(value)
    .sort()
    .map((key) => \`\${JSON.stringify(key)}:\${canonicalText(value[key])}\`);
  return \`{\${members.join()}}\`;
}`,
    countMatching: `/** Number of items that match. Adds their indexes to \`evaluated\`. */
function countMatching(items, check, evaluated) {
  let count = 0;
  for (let index = 0; index < items.length; index += 1) {
    if (!check(items[index], null, null)) continue;
    count += 1;
    if (evaluated !== undefined) evaluated.add(index);
  }
  return count;
}`,
    pointerStep: `/** A property name as a step of a JSON pointer. */
function pointerStep(name) {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}`,
    testTracked: `/** Runs a check and, if the value matches, adds the evaluated properties or items. */
function testTracked(check, value, evaluated) {
  const own = new Set();
  if (!check(value, null, null, own)) return false;
  for (const each of own) evaluated.add(each);
  return true;
}`,
    checkOnce: `/** Results for the nested values of the value that is being validated, by check and by value. */
let checkResults;
/** The value that is being checked. */
let checkedValue;

/**
 * Runs a check, and remembers the result for each object and list: otherwise each schema that applies to the enclosing value could
 * check it again. A check within another one of the same value is not remembered, because cyclic references make its result
 * preliminary.
 */
function checkOnce(check, value, errors, path, outer) {
  if (typeof value !== "object" || value === null) return check(value, errors, path, outer);
  if (checkResults === undefined) {
    checkResults = new Map();
    try {
      return checkOnce(check, value, errors, path, outer);
    } finally {
      checkResults = undefined;
      checkedValue = undefined;
    }
  }
  const before = checkedValue;
  checkedValue = value;
  let result;
  if (before === value || outer !== undefined) result = check(value, errors, path, outer);
  else {
    let known = checkResults.get(check);
    if (known === undefined) checkResults.set(check, (known = new Map()));
    result = known.get(value);
    if (result === undefined) known.set(value, (result = check(value, null, null)));
    if (!result && errors !== null) result = check(value, errors, path);
  }
  checkedValue = before;
  return result;
}`,
    checkShared: `/** Results of the checks that very many others call for the same value, by check and by value. */
let sharedResults;

/** Runs a check, and remembers the result and the evaluated members until the first of nested calls ends. */
function checkShared(check, value, errors, path, outer) {
  const isFirst = sharedResults === undefined;
  if (isFirst) sharedResults = new Map();
  try {
    let known = sharedResults.get(check);
    if (known === undefined) sharedResults.set(check, (known = new Map()));
    let result = known.get(value);
    if (result === undefined) {
      const evaluated = new Set();
      known.set(value, (result = check(value, null, null, evaluated) && evaluated));
    }
    if (!result) return errors !== null && check(value, errors, path, outer);
    if (outer !== undefined) for (const each of result) outer.add(each);
    return true;
  } finally {
    if (isFirst) sharedResults = undefined;
  }
}`,
    failTag: `/** Rejects a value whose discriminating property selects no branch of its union. */
function failTag(errors, path, value, property, allowedValues) {
  if (!Object.hasOwn(value, property)) return fail(errors, path, "required", { missingProperty: property });
  return fail(errors, \`\${path}/\${pointerStep(property)}\`, "enum", { allowedValues });
}`,
    failUnion: `/**
 * Rejects a value that matches no branch of a union, or too many. Reports the errors of the branch that a property of the
 * value selects, otherwise those of each branch.
 */
function failUnion(errors, path, keyword, value, checks, tag) {
  if (errors === null) return true;
  if (tag !== undefined && isObject(value) && Object.hasOwn(value, tag.property)) {
    const named = tag.values.findIndex((each) => each.includes(value[tag.property]));
    const before = errors.length;
    if (named !== -1) checks[named](value, errors, path);
    if (errors.length > before) return errorCount >= MAX_ERRORS;
    if (named === -1 && tag.values.every((each) => each.length > 0)) {
      return failTag(errors, path, value, tag.property, tag.values.flat());
    }
  }
  const branches = [];
  const passing = [];
  for (let index = 0; index < checks.length && errorCount < MAX_ERRORS; index += 1) {
    const own = [];
    checks[index](value, own, path);
    if (own.length === 0) passing.push(index);
    else branches.push(own);
  }
  errorCount += 1;
  errors.push({ instancePath: path, keyword, params: { passing }, branches });
  return errorCount >= MAX_ERRORS;
}`,
  }),
);

/**
 * Prints the code of every output: `isObject`, which type tests call, and functions that collect errors and turn a compiled
 * function into a validator.
 */
export function printCore(maxErrors = 1000): string {
  return `/** Maximum number of errors of a value: lists and nested unions could produce any number. */
const MAX_ERRORS = ${maxErrors};

let errorCount = 0;

/** Adds an error. Returns whether the check ends: without a list of errors, or because there are enough. */
function fail(errors, instancePath, keyword, params) {
  if (errors === null) return true;
  errorCount += 1;
  errors.push({ instancePath, keyword, params });
  return errorCount >= MAX_ERRORS;
}

/**
 * Creates a validator. Most values are valid, so a value is first checked without collecting errors; an invalid one is
 * checked again to collect them. A value that is nested too deeply is rejected.
 */
function validator(check) {
  const validate = (value) => {
    try {
      if (check(value, null, null)) {
        validate.errors = null;
        return true;
      }
      errorCount = 0;
      validate.errors = [];
      check(value, validate.errors, "");
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      validate.errors = [{ instancePath: "", keyword: "nesting", params: {} }];
    }
    return false;
  };
  validate.errors = null;
  return validate;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}`;
}
