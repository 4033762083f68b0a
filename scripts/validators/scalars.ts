import { jsonExpression, stringLiteral } from "../code/encode.js";
import type { JsonObject, JsonValue } from "../model/model.js";
import type { Block } from "./code.js";
import { countOf, type Emitter, type Frame, numberOf, ofType, own, refuseIf, shown } from "./frame.js";
import { type SchemaNode, SchemaProblem } from "./schema.js";
import { declaredTypes, isNoType, typeOf } from "./types.js";

/** Longer lists are looked up in a set. */
const LISTED = 4;

/** `type` */
export function typeKeyword(node: SchemaNode, values: JsonObject, frame: Frame, orNull: boolean): Block {
  const types = declaredTypes(node, values);
  if (types === undefined) return [];
  const expected = orNull && !types.includes("null") ? [...types, "null"] : types;
  const [only] = expected;
  const params: JsonObject = { type: expected.length === 1 && only !== undefined ? only : expected };
  // Numbers are told apart from integers, so that a type that is known may still have to be checked.
  const known = !types.includes("integer") && [...frame.types].every((type) => types.includes(type));
  return known ? [] : refuseIf(isNoType(types, frame.value), frame, "type", params);
}

/** `enum` and `const` */
export function valueKeywords(
  node: SchemaNode,
  values: JsonObject,
  frame: Frame,
  orNull: boolean,
  emitter: Emitter,
): Block {
  const block: Block = [];
  const allowed = own(values, "enum");
  if (allowed !== undefined) {
    if (!Array.isArray(allowed)) throw new SchemaProblem(node, `enum must be a list, not ${shown(allowed)}`);
    block.push(...enumKeyword(node, allowed, frame, orNull, emitter));
  }
  const constant = own(values, "const");
  if (constant !== undefined) {
    checkFinite(node, constant);
    const name = `${emitter.nameFor(node)}$const`;
    const condition = isScalar(constant)
      ? `${frame.value} !== ${jsonExpression(constant)}`
      : `!${emitter.helper("isEqual")}(${frame.value}, ${emitter.constant(name, jsonExpression(constant))})`;
    const params = isScalar(constant) ? jsonExpression(constant) : name;
    block.push(...refuseIf(condition, frame, "const", `{ allowedValue: ${params} }`));
  }
  return block;
}

function enumKeyword(
  node: SchemaNode,
  allowed: JsonValue[],
  frame: Frame,
  orNull: boolean,
  emitter: Emitter,
): Block {
  for (const value of allowed) checkFinite(node, value);
  const shownValues = orNull && !allowed.includes(null) ? [...allowed, null] : allowed;
  const scalars = allowed.filter(isScalar);
  const others = allowed.filter((value) => !isScalar(value));
  const tests: string[] = [];
  let list = jsonExpression(shownValues);
  if (shownValues.length > LISTED || others.length > 0) {
    list = emitter.constant(
      `${emitter.nameFor(node)}$enum`,
      shownValues.length > LISTED
        ? ["[", ...shownValues.map((value) => `  ${jsonExpression(value)},`), "]"].join("\n")
        : list,
    );
  }
  if (shownValues.length > LISTED && scalars.length > 0) {
    const set = emitter.constant(`${list}$set`, `new Set(${list})`);
    tests.push(`!${set}.has(${frame.value})`);
  } else tests.push(...scalars.map((value) => `${frame.value} !== ${jsonExpression(value)}`));
  if (others.length > 0) {
    const equal = emitter.helper("isEqual");
    tests.push(`!${list}.some((allowed) => ${equal}(${frame.value}, allowed))`);
  }
  return refuseIf(
    tests.length === 0 ? "true" : tests.join(" && "),
    frame,
    "enum",
    `{ allowedValues: ${list} }`,
  );
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== "object" || value === null;
}

/** JSON.parse reads 1e400 as Infinity, which cannot be written back. */
function checkFinite(node: SchemaNode, value: JsonValue): void {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new SchemaProblem(node, "a number in const or enum is too large to be told from others");
  }
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) checkFinite(node, member);
  }
}

/** Limits of numbers: keyword, the comparison that refuses a value, name of the limit in the reason. */
const BOUNDS = [
  ["maximum", ">"],
  ["minimum", "<"],
  ["exclusiveMaximum", ">="],
  ["exclusiveMinimum", "<="],
] as const;

/** `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf` */
export function numberKeywords(node: SchemaNode, values: JsonObject, frame: Frame, emitter: Emitter): Block {
  return ofType(frame, "number", `typeof ${frame.value} === "number"`, (number) => {
    const { value } = number;
    const block: Block = [];
    for (const [keyword, comparison] of BOUNDS) {
      const limit = numberOf(node, values, keyword);
      if (limit === undefined) continue;
      block.push(...refuseIf(`${value} ${comparison} ${jsonExpression(limit)}`, number, keyword, { limit }));
    }
    const divisor = numberOf(node, values, "multipleOf");
    if (divisor !== undefined) {
      if (divisor <= 0) throw new SchemaProblem(node, `multipleOf must be more than 0, not ${divisor}`);
      const params: JsonObject = { multipleOf: divisor };
      block.push(...refuseIf(noMultiple(value, divisor, emitter), number, "multipleOf", params));
    }
    return block;
  });
}

/** The remainder of whole numbers is exact; of decimal fractions it is not. */
function noMultiple(value: string, divisor: number, emitter: Emitter): string {
  if (divisor === 1) return `!Number.isInteger(${value})`;
  if (Number.isSafeInteger(divisor)) return `${value} % ${divisor} !== 0`;
  return `!${emitter.helper("isMultiple")}(${value}, ${jsonExpression(divisor)}, ${scaleOf(divisor)})`;
}

/** The power of ten that makes a number whole; NaN where that cannot be done exactly. */
function scaleOf(number: number): string {
  const [mantissa = "", exponent = "0"] = String(number).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  return `${whole}${fraction}`.length <= 15 && places > 0 && places <= 15 ? `1e${places}` : "NaN";
}

/** `minLength`, `maxLength`, `pattern` and the formats that are asserted */
export function stringKeywords(
  node: SchemaNode,
  values: JsonObject,
  frame: Frame,
  formats: ReadonlyMap<string, RegExp>,
  emitter: Emitter,
): Block {
  return ofType(frame, "string", `typeof ${frame.value} === "string"`, (string) => {
    const { value } = string;
    const block: Block = [];
    // A code point takes one or two code units: most lengths need no counting.
    const longest = countOf(node, values, "maxLength");
    if (longest !== undefined) {
      const condition =
        longest === 0
          ? `${value} !== ""`
          : `${value}.length > ${longest} && ${emitter.helper("codePoints")}(${value}) > ${longest}`;
      block.push(...refuseIf(condition, string, "maxLength", { limit: longest }));
    }
    const shortest = countOf(node, values, "minLength");
    if (shortest === 1) block.push(...refuseIf(`${value} === ""`, string, "minLength", { limit: 1 }));
    else if (shortest !== undefined && shortest > 0) {
      const count = `${value}.length < ${2 * shortest} && ${emitter.helper("codePoints")}(${value}) < ${shortest}`;
      block.push(...refuseIf(count, string, "minLength", { limit: shortest }));
    }
    const { pattern, format } = values;
    if (pattern !== undefined) {
      if (typeof pattern !== "string") {
        throw new SchemaProblem(node, `pattern must be a string, not ${shown(pattern)}`);
      }
      if (!emitter.isUnclear(node, pattern)) {
        const test = `!${emitter.pattern(node, pattern)}.test(${value})`;
        block.push(...refuseIf(test, string, "pattern", { pattern }));
      }
    }
    const asserted = typeof format === "string" ? formats.get(format) : undefined;
    if (typeof format === "string" && asserted) {
      const name = emitter.constant(`format$${format.replaceAll("-", "$")}`, String(asserted));
      block.push(
        ...refuseIf(`!${name}.test(${value})`, string, "format", `{ format: ${stringLiteral(format)} }`),
      );
    }
    return block;
  });
}

/** The types of the values that `const` and `enum` list. */
export function typesOfValues(values: JsonObject): ReadonlySet<string> | undefined {
  const constant = own(values, "const");
  if (constant !== undefined) return new Set([typeOf(constant)]);
  const allowed = own(values, "enum");
  return Array.isArray(allowed) ? new Set(allowed.map(typeOf)) : undefined;
}
