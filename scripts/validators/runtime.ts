/** A function that compiled code calls: its text, and the others that it calls itself. */
interface Helper {
  needs: readonly string[];
  text: string;
}

/**
 * The functions that compiled validators call. Each is part of the output when something calls it, so that the output
 * imports nothing.
 */
export const RUNTIME: ReadonlyMap<string, Helper> = new Map(
  Object.entries({
    isObject: {
      needs: [],
      text: `
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}`,
    },
    codePoints: {
      needs: [],
      text: `
/** Length of a text in code points. */
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
    },
    isMultiple: {
      needs: [],
      text: `
/** Whether one decimal number is a multiple of another: of the numbers as they are written, not of their binary forms. */
function isMultiple(value, divisor) {
  const [digits, exponent] = decimal(value);
  const [divisorDigits, divisorExponent] = decimal(divisor);
  const shared = Math.min(exponent, divisorExponent);
  const scale = (number, by) => number * 10n ** BigInt(by - shared);
  return scale(digits, exponent) % scale(divisorDigits, divisorExponent) === 0n;
}

function decimal(number) {
  const [mantissa, exponent = "0"] = String(number).split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}`,
    },
    isEqual: {
      needs: [],
      text: `
/** Whether two JSON values are equal. It never asks a value for its methods: they may be members of a request. */
function isEqual(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]));
}`,
    },
    isUnique: {
      needs: [],
      text: `
/** Whether no two items are equal. Objects are compared by a text of them, so that many items do not take long. */
function isUnique(items) {
  const seen = new Set();
  const texts = new Set();
  for (const item of items) {
    const complex = typeof item === "object" && item !== null;
    const set = complex ? texts : seen;
    const key = complex ? canonicalText(item) : item;
    if (set.has(key)) return false;
    set.add(key);
  }
  return true;
}

/** The JSON of a value with the members of objects in the order of their names. */
function canonicalText(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value === 0 ? 0 : value);
  if (Array.isArray(value)) return \`[\${value.map(canonicalText).join()}]\`;
  const members = Object.keys(value)
    .sort()
    .map((key) => \`\${JSON.stringify(key)}:\${canonicalText(value[key])}\`);
  return \`{\${members.join()}}\`;
}`,
    },
    countMatching: {
      needs: [],
      text: `
/** Number of items that fit; they are noted in \`seen\` where it is given. */
function countMatching(items, check, seen) {
  let count = 0;
  for (let index = 0; index < items.length; index += 1) {
    if (!check(items[index], null, null)) continue;
    count += 1;
    if (seen !== undefined) seen.add(index);
  }
  return count;
}`,
    },
    pointerStep: {
      needs: [],
      text: `
/** A property name as a step of a JSON pointer. */
function pointerStep(name) {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}`,
    },
    noting: {
      needs: [],
      text: `
/** Runs a check and notes what it evaluates, if the value fits. */
function noting(check, value, seen) {
  const own = new Set();
  if (!check(value, null, null, own)) return false;
  for (const each of own) seen.add(each);
  return true;
}`,
    },
    failTag: {
      needs: [],
      text: `
/** Refuses a value whose property leads to no branch of its union. */
function failTag(errors, path, value, property, allowedValues) {
  if (!Object.hasOwn(value, property)) return fail(errors, path, "required", { missingProperty: property });
  const place = \`\${path}/\${property.replaceAll("~", "~0").replaceAll("/", "~1")}\`;
  return fail(errors, place, "enum", { allowedValues });
}`,
    },
    failUnion: {
      needs: ["isObject", "failTag"],
      text: `
/** Most reasons that are collected for a value; a schema of nested unions could give any number. */
const MOST_REASONS = 100;

/**
 * Refuses a value that fits none of several schemas, or too many: with the reasons of the one that a property of the
 * value names, or else with those of each.
 */
function failUnion(errors, path, keyword, value, checks, tag) {
  if (tag !== undefined && isObject(value) && Object.hasOwn(value, tag.property)) {
    const named = tag.values.findIndex((each) => each.includes(value[tag.property]));
    if (named !== -1 && !checks[named](value, errors, path)) return false;
    if (named === -1 && tag.values.every((each) => each.length > 0)) {
      return failTag(errors, path, value, tag.property, tag.values.flat());
    }
  }
  const branches = [];
  const passing = [];
  for (const [index, check] of checks.entries()) {
    const own = [];
    if (reasons < MOST_REASONS && !check(value, own, path)) branches.push(own);
    else if (reasons < MOST_REASONS) passing.push(index);
  }
  fail(errors, path, keyword, { passing });
  errors[errors.length - 1].branches = branches;
  return false;
}`,
    },
  } satisfies Record<string, Helper>),
);

/** What every output has: how a reason is kept, and how a function of the output becomes a validator. */
export const CORE = `
let reasons = 0;

/** Keeps a reason why a value was refused. */
function fail(errors, instancePath, keyword, params) {
  reasons += 1;
  errors.push({ instancePath, keyword, params });
  return false;
}

/**
 * A validator. Most values fit, so a value is checked without keeping reasons; one that does not fit is checked again
 * to find them. A value that is nested too deeply to be checked is refused.
 */
function validator(check) {
  const validate = (value) => {
    try {
      if (check(value, null, null)) {
        validate.errors = null;
        return true;
      }
      reasons = 0;
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
}`;
