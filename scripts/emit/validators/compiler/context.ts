import { printJsonExpression } from "../../../code/encode.js";
import type { JsonObject } from "../../../model/model.js";
import { type Block, wrapInIf } from "./block.js";
import { type ValuePath, printPath } from "./value-path.js";
import type { Schema } from "../../../model/schema/schema.js";
import type { DynamicScope } from "./references.js";
import { readCount } from "./read-keywords.js";
import { printTypeTest } from "./type-tests.js";
import { ALL_TYPES, type JsonType } from "../../../model/schema/composition.js";

/** The state of code generation for one value: its variable, its path, and the facts that are known about it. */
export interface CodegenContext {
  /** Variable that holds the value. */
  readonly value: string;
  /** Path of the value, relative to the argument of the function. */
  readonly path: ValuePath;
  /** Length of that path. */
  readonly depth: number;
  /** Types that the value can have after the checks that precede the code. */
  readonly types: ReadonlySet<JsonType>;
  /** Variable with the set of evaluated property names and item indexes; undefined if nothing needs them. */
  readonly evaluated: string | undefined;
  readonly scope: DynamicScope;
  /** The function that the code is part of. */
  readonly enclosingFunction: CheckFunction;
  readonly generator: CodeGenerator;
}

/** A generated function that checks a value. */
export interface CheckFunction {
  readonly name: string;
  /** The schema that it checks; undefined for an object whose members are listed without a schema. */
  readonly schema: Schema | undefined;
  /** JSON pointer for its comment. */
  readonly pointer: string;
  readonly scope: DynamicScope;
  /** Whether it adds evaluated properties and items to a set that the caller passes. */
  readonly tracksEvaluated: boolean;
  /** Functions that it calls with its own argument. A cycle of such calls would never end. */
  readonly sameValueCalls: Set<CheckFunction>;
  /** Number of local variables for nested values. */
  localCount: number;
  body: Block;
}

/** The options that distinguish functions for the same schema. */
export type FunctionOptions = Pick<CheckFunction, "tracksEvaluated">;

/** Services for the code generators of keywords; `compiler.ts` implements them. */
export interface CodeGenerator {
  /** Whether functions report every error of a value instead of returning at the first. */
  readonly reportsAll: boolean;
  /** The formats that are asserted, by name; all others are annotations. */
  readonly formats: ReadonlyMap<string, RegExp>;
  /** Generates statements that return false unless the value matches the schema. */
  generateChecks(schema: Schema, context: CodegenContext): Block;
  /** Generates an expression that is true if the value matches. It reports no errors. */
  generateTest(schema: Schema, context: CodegenContext): string;
  /** Returns the function for a schema, and adds it to the output. */
  getFunction(schema: Schema, context: CodegenContext, options: FunctionOptions): CheckFunction;
  /** Adds a runtime function to the output and returns its name. */
  useHelper(name: string): string;
  /** Adds a constant to the output and returns its name. The same name has the same text. */
  addConstant(name: string, text: string): string;
  /** Adds the description of the values that match a pattern, for error messages. */
  addExpectation(pattern: string, expected: string): void;
  /** Reports that the generated code does not check a keyword. */
  reportUnchecked(schema: Schema, keyword: string, message: string): void;
  /** Returns a name for a schema, made from its JSON pointer. */
  chooseName(schema: Schema): string;
}

/** Variable for the result of functions that report all errors. No other name ends in `$`. */
export const ALL_VALID = "valid$";

/** Generates statements that reject the value, with an error if errors are collected. */
export function reject(
  context: CodegenContext,
  keyword: string,
  params: string,
  path: ValuePath = context.path,
): Block {
  return rejectWith(context, `fail(errors, ${printPath(path)}, "${keyword}", ${params})`);
}

/** Generates statements that reject the value; `report` is a call that adds errors and returns false. */
export function rejectWith({ generator }: CodegenContext, report: string): Block {
  return generator.reportsAll
    ? ["if (errors === null) return false;", `${ALL_VALID} = ${report};`]
    : [`return errors !== null && ${report};`];
}

/** Generates statements that reject the value if a condition holds. */
export function rejectIf(
  condition: string,
  context: CodegenContext,
  keyword: string,
  params: JsonObject | string,
): Block {
  const text = typeof params === "string" ? params : printJsonExpression(params);
  return wrapInIf(condition, reject(context, keyword, text));
}

/** Creates the context of a nested value, which has its own variable. */
export function createChildContext(context: CodegenContext, step: ValuePath[number]): CodegenContext {
  const depth = context.depth + 1;
  const { enclosingFunction } = context;
  enclosingFunction.localCount = Math.max(enclosingFunction.localCount, depth);
  return {
    ...context,
    value: `value${depth}`,
    path: [...context.path, step],
    depth,
    types: ALL_TYPES,
    evaluated: undefined,
  };
}

/**
 * Generates statements for values of one type. Wraps them in an `if`, unless the type is known.
 *
 * @param generate generates the statements, for a context in which the type is known
 */
export function whenType(
  context: CodegenContext,
  type: "number" | "string" | "array" | "object",
  generate: (context: CodegenContext) => Block,
): Block {
  if (!context.types.has(type)) return [];
  if (context.types.size === 1) return generate(context);
  const { value } = context;
  // Not `printTypeTest`, which excludes infinite numbers: they must not pass without a check.
  const condition = type === "number" ? `typeof ${value} === "number"` : printTypeTest(type, value);
  return wrapInIf(condition, generate({ ...context, types: new Set([type]) }));
}

/**
 * Generates `maxItems` and `minItems`, or `maxProperties` and `minProperties`.
 *
 * @param count expression for the number of items or properties
 */
export function generateCountLimits(
  schema: Schema,
  members: "Items" | "Properties",
  count: string,
  context: CodegenContext,
): Block {
  const most = readCount(schema, `max${members}`);
  const least = readCount(schema, `min${members}`) ?? 0;
  return [
    ...(most === undefined ? [] : rejectIf(`${count} > ${most}`, context, `max${members}`, { limit: most })),
    ...(least === 0 ? [] : rejectIf(`${count} < ${least}`, context, `min${members}`, { limit: least })),
  ];
}
