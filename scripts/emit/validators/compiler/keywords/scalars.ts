import { Code, printJsonExpression } from "../../../../code/encode.js";
import { isScalar, type JsonValue } from "../../../../json.js";
import type { Block } from "../block.js";
import { type CodegenContext, rejectIf, rejectOtherTypes, whenType } from "../context.js";
import type { Schema } from "../../../../model/schema/schema.js";
import { SchemaError } from "../../../../model/schema/schema-error.js";
import { addPattern, reportUncheckedPattern } from "./pattern.js";
import { createValueError, readCount, readNumber } from "./read-keywords.js";
import { printTypeTest } from "../expressions.js";

/** Maximum number of enum values that are compared one by one; more values are compared by a Set. */
const MAX_INLINE_VALUES = 4;

/** Generates `type`, and the checks of values that have one of the types. */
export function generateType(schema: Schema, types: string[], context: CodegenContext, checks: Block): Block {
  const expected = schema.nullable && !types.includes("null") ? [...types, "null"] : types;
  const [single] = expected;
  const allowed = schema.keyword("enum");
  const params = {
    type: expected.length === 1 ? single : expected,
    allowedValues: Array.isArray(allowed) ? createAllowedValues(schema, allowed, context) : undefined,
  };
  // A context does not distinguish integers from numbers, so `integer` is always checked.
  const isKnown =
    !types.includes("integer") && [...context.possibleTypes].every((type) => types.includes(type));
  if (isKnown) return checks;
  const tests = types.map((type) => printTypeTest(type, context.valueVariable, "!=="));
  return rejectOtherTypes(tests.join(" && "), context, params, checks);
}

/** Generates `enum` and `const`. */
export function generateEnumAndConst(schema: Schema, context: CodegenContext): Block {
  const { generator } = context;
  const block: Block = [];
  const allowed = schema.keyword("enum");
  if (allowed !== undefined) {
    if (!Array.isArray(allowed)) throw createValueError(schema, "enum", "a list", allowed);
    block.push(...generateEnum(schema, allowed, context));
  }
  const constant = schema.keyword("const");
  if (constant === undefined) return block;
  const text = printJsonExpression(constant);
  if (isScalar(constant)) {
    const condition = `${context.valueVariable} !== ${text}`;
    return [...block, ...rejectIf(condition, context, "const", { allowedValue: constant })];
  }
  const name = generator.addConstant(`${generator.chooseName(schema)}$const`, text);
  const condition = `!${generator.useHelper("isEqual")}(${context.valueVariable}, ${name})`;
  return [...block, ...rejectIf(condition, context, "const", { allowedValue: new Code(name) })];
}

function generateEnum(schema: Schema, allowed: JsonValue[], context: CodegenContext): Block {
  const { generator } = context;
  const scalars = allowed.filter(isScalar);
  const containers = allowed.filter((value) => !isScalar(value));
  const tests: string[] = [];
  const allowedValues = createAllowedValues(schema, allowed, context);
  const listExpression = allowedValues.text;
  if (listAllowedValues(schema, allowed).length > MAX_INLINE_VALUES && scalars.length > 0) {
    const setConstant = generator.addConstant(`${listExpression}$set`, `new Set(${listExpression})`);
    tests.push(`!${setConstant}.has(${context.valueVariable})`);
  } else tests.push(...scalars.map((value) => `${context.valueVariable} !== ${printJsonExpression(value)}`));
  if (containers.length > 0) {
    const isEqual = generator.useHelper("isEqual");
    tests.push(`!${listExpression}.some((allowed) => ${isEqual}(${context.valueVariable}, allowed))`);
  }
  return rejectIf(tests.length === 0 ? "true" : tests.join(" && "), context, "enum", { allowedValues });
}

/** Creates the list of the values that `enum` allows: inline, or as the name of a constant if it is long. */
function createAllowedValues(schema: Schema, allowed: JsonValue[], { generator }: CodegenContext): Code {
  const values = listAllowedValues(schema, allowed);
  const list = printJsonExpression(values);
  const isLong = values.length > MAX_INLINE_VALUES;
  if (!isLong && allowed.every(isScalar)) return new Code(list);
  const lines = ["[", ...values.map((value) => `  ${printJsonExpression(value)},`), "]"];
  const name = `${generator.chooseName(schema)}$enum`;
  return new Code(generator.addConstant(name, isLong ? lines.join("\n") : list));
}

function listAllowedValues({ nullable }: Schema, allowed: JsonValue[]): JsonValue[] {
  return nullable && !allowed.includes(null) ? [...allowed, null] : allowed;
}

/** Keywords that limit numbers, each with the comparison that rejects a value. */
const LIMITS = [
  ["maximum", ">"],
  ["minimum", "<"],
  ["exclusiveMaximum", ">="],
  ["exclusiveMinimum", "<="],
] as const;

/** Generates `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum` and `multipleOf`. */
export function generateNumberKeywords(schema: Schema, context: CodegenContext): Block {
  return whenType(context, "number", (numberContext) => {
    const { valueVariable } = numberContext;
    const block: Block = [];
    for (const [keyword, comparison] of LIMITS) {
      const limit = readNumber(schema, keyword);
      if (limit === undefined) continue;
      const condition = `${valueVariable} ${comparison} ${printJsonExpression(limit)}`;
      block.push(...rejectIf(condition, numberContext, keyword, { limit }));
    }
    const divisor = readNumber(schema, "multipleOf");
    if (divisor !== undefined) {
      if (divisor <= 0)
        throw new SchemaError(schema, `multipleOf must be more than 0, not ${divisor}`, "multipleOf");
      const condition = printNotMultiple(divisor, numberContext);
      block.push(...rejectIf(condition, numberContext, "multipleOf", { multipleOf: divisor }));
    }
    return block;
  });
}

/** Prints the condition that a number is not a multiple of the divisor. The remainder operator is exact for integers only. */
function printNotMultiple(divisor: number, { valueVariable, generator }: CodegenContext): string {
  if (divisor === 1) return `!Number.isInteger(${valueVariable})`;
  if (Number.isSafeInteger(divisor)) return `${valueVariable} % ${divisor} !== 0`;
  return `!${generator.useHelper("isMultiple")}(${valueVariable}, ${printJsonExpression(divisor)}, ${printDecimalScale(divisor)})`;
}

/** Prints the power of ten that scales a number to an integer; NaN if the power is too large for exact products. */
function printDecimalScale(number: number): string {
  const [mantissa = "", exponent = "0"] = String(number).split("e");
  const [, fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  return places > 0 && places <= 15 ? `1e${places}` : "NaN";
}

/** Generates `minLength`, `maxLength`, `pattern` and the asserted formats. */
export function generateStringKeywords(schema: Schema, context: CodegenContext): Block {
  return whenType(context, "string", (stringContext) => {
    const { valueVariable, generator } = stringContext;
    const block = generateLengthLimits(schema, stringContext);
    const pattern = schema.keyword("pattern");
    if (pattern !== undefined) {
      if (typeof pattern !== "string") throw createValueError(schema, "pattern", "a string", pattern);
      const name = addPattern(pattern, generator);
      if (name === undefined) reportUncheckedPattern(pattern, schema, "pattern", generator);
      else {
        const params = { pattern, expected: schema.text("x-expected") };
        const max = readCount(schema, "maxLength");
        // A longer text is refused in any case, and some patterns take the square of its length.
        const isShort = max === undefined ? "" : `${valueVariable}.length <= ${2 * max} && `;
        block.push(
          ...rejectIf(`${isShort}!${name}.test(${valueVariable})`, stringContext, "pattern", params),
        );
      }
    }
    // A listed value is allowed in any case. Some documents list "now" for a time.
    const format = schema.listedValues ? undefined : schema.text("format");
    const expression = format === undefined ? undefined : generator.options.formats.get(format);
    if (format !== undefined && expression) {
      const name = generator.addConstant(`format$${format.replaceAll("-", "$")}`, String(expression));
      block.push(...rejectIf(`!${name}.test(${valueVariable})`, stringContext, "format", { format }));
    }
    return block;
  });
}

/** Generates `maxLength` and `minLength`. A code point has one or two code units, so most texts need no counting. */
function generateLengthLimits(schema: Schema, context: CodegenContext): Block {
  const { valueVariable, generator } = context;
  const countCodePoints = (): string => `${generator.useHelper("codePoints")}(${valueVariable})`;
  const block: Block = [];
  const max = readCount(schema, "maxLength");
  if (max !== undefined) {
    const condition =
      max === 0
        ? `${valueVariable} !== ""`
        : `${valueVariable}.length > ${max} && ${countCodePoints()} > ${max}`;
    block.push(...rejectIf(condition, context, "maxLength", { limit: max }));
  }
  const min = readCount(schema, "minLength") ?? 0;
  if (min > 0) {
    const condition =
      min === 1
        ? `${valueVariable} === ""`
        : `${valueVariable}.length < ${2 * min} && ${countCodePoints()} < ${min}`;
    block.push(...rejectIf(condition, context, "minLength", { limit: min }));
  }
  return block;
}
