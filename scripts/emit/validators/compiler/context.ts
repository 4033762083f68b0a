import { printJsonExpression } from "../../../code/encode.js";
import { type Block, wrapInIf } from "./block.js";
import { type ValuePath, printPath, printTypeTest } from "./expressions.js";
import type { Schema } from "../../../model/schema/schema.js";
import { readCount } from "./keywords/read-keywords.js";
import type { UnionTag } from "./keywords/union-tags.js";
import type { DynamicScope } from "../../../model/schema/dynamic-scope.js";
import { ALL_TYPES, type JsonType } from "../../../model/schema/json-types.js";

/** The state of code generation for one value. Variables and functions are those of the generated code. */
export interface CodegenContext {
  readonly valueVariable: string;
  /** Path of the value, relative to the argument of the function. */
  readonly path: ValuePath;
  /** Nesting level of the value, which numbers its local variables; 0 for the argument of the function. */
  readonly level: number;
  /** Types that the value can have after the checks that precede the code. */
  readonly possibleTypes: ReadonlySet<JsonType>;
  /** Variable with the set of evaluated property names and item indexes; undefined if nothing needs them. */
  readonly evaluatedVariable: string | undefined;
  readonly scope: DynamicScope;
  readonly branches: TagBranches;
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
  readonly calls: FunctionCall[];
  /** Number of local variables for nested values: one for each level. */
  localCount: number;
  body: Block;
}

/** A call of a generated function by another one. */
export interface FunctionCall {
  readonly called: CheckFunction;
  /** Path of the value, relative to the argument of the caller; empty for the argument itself. */
  readonly path: ValuePath;
  readonly branches: TagBranches;
  /** Whether it only collects the errors of a branch that has been tested. */
  readonly isReport: boolean;
}

/** The branch that the code is in, for each tag of an enclosing union. */
type TagBranches = ReadonlyMap<UnionTag, Schema>;

export interface CompileOptions {
  /** Names by `URI#pointer`, so that functions have the names of the document's schemas. */
  readonly names: ReadonlyMap<string, string>;
  /** The formats that are asserted, by name; all others are annotations. */
  readonly formats: ReadonlyMap<string, RegExp>;
  /** Maximum number of errors that a validator reports, including those in the branches of unions. */
  readonly maxErrors?: number;
  /** Whether an error about an undeclared property lists the declared ones, so that a message can suggest one. */
  readonly listDeclaredNames?: boolean;
}

/** Services for the code generators of keywords; `compiler.ts` implements them. */
export interface CodeGenerator {
  readonly options: CompileOptions;
  /** Generates statements that report an error unless the value matches the schema. */
  generateChecks(schema: Schema, context: CodegenContext): Block;
  /** Generates an expression that is true if the value matches. It reports no errors, and adds evaluated members. */
  generateTest(schema: Schema, context: CodegenContext): string;
  /** Returns the function for a schema, and adds it to the output. */
  getFunction(
    schema: Schema,
    context: CodegenContext,
    tracksEvaluated: boolean,
    isReport?: boolean,
  ): CheckFunction;
  /** Adds a runtime function to the output and returns its name. */
  useHelper(name: string): string;
  /** Adds a constant to the output and returns its name, which is longer than `name` if that is the name of another constant. */
  addConstant(name: string, text: string): string;
  /** Reports that the generated code does not check a keyword, or that a default is invalid. */
  addWarning(schema: Schema, keyword: string, message: string): void;
  /** Returns a name for a schema, made from its JSON pointer. */
  chooseName(schema: Schema): string;
}

/** Prints the call that adds an error, and returns whether the check ends. */
function printFailure(path: ValuePath, keyword: string, params: object): string {
  return `fail(errors, ${printPath(path)}, "${keyword}", ${printJsonExpression(params)})`;
}

/** Generates a statement that rejects the value. The properties of the error are JSON values and `Code`. */
export function reject({ path }: Pick<CodegenContext, "path">, keyword: string, params: object = {}): Block {
  return [`if (${printFailure(path, keyword, params)}) return false;`];
}

export function rejectIf(
  condition: string,
  { path }: CodegenContext,
  keyword: string,
  params: object = {},
): Block {
  return [`if (${condition} && ${printFailure(path, keyword, params)}) return false;`];
}

/**
 * Generates statements that reject values of another type, and check all others.
 *
 * @param condition true for values of another type
 */
export function rejectOtherTypes(
  condition: string,
  context: CodegenContext,
  params: object,
  checks: Block,
): Block {
  if (checks.length === 0) return rejectIf(condition, context, "type", params);
  const failure = printFailure(context.path, "type", params);
  // No other keyword applies to such a value, so the function ends. It returns whether its caller can add more errors.
  if (context.level === 0) return [`if (${condition}) return !${failure};`, ...checks];
  return [`if (${condition}) {`, [`if (${failure}) return false;`], "} else {", checks, "}"];
}

export function nameNestedValue(level: number): string {
  return `value${level}`;
}

/** Creates the context of a nested value, which has its own variable. */
export function createChildContext(context: CodegenContext, step: ValuePath[number]): CodegenContext {
  const level = context.level + 1;
  const { enclosingFunction } = context;
  enclosingFunction.localCount = Math.max(enclosingFunction.localCount, level);
  return {
    ...context,
    valueVariable: nameNestedValue(level),
    path: [...context.path, step],
    level,
    possibleTypes: ALL_TYPES,
    evaluatedVariable: undefined,
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
  if (!context.possibleTypes.has(type)) return [];
  if (context.possibleTypes.size === 1) return generate(context);
  const { valueVariable } = context;
  // Not `printTypeTest`, which excludes infinite numbers: they must not pass without a check.
  const condition =
    type === "number" ? `typeof ${valueVariable} === "number"` : printTypeTest(type, valueVariable);
  return wrapInIf(condition, generate({ ...context, possibleTypes: new Set([type]) }));
}

/** Generates `maxItems` and `minItems`, or `maxProperties` and `minProperties`. */
export function generateCountLimits(
  schema: Schema,
  suffix: "Items" | "Properties",
  countExpression: string,
  context: CodegenContext,
): Block {
  const rejectCount = (operator: string, keyword: string, limit: number): Block =>
    rejectIf(`${countExpression} ${operator} ${limit}`, context, keyword, { limit });
  const max = readCount(schema, `max${suffix}`);
  const min = readCount(schema, `min${suffix}`) ?? 0;
  return [
    ...(max === undefined ? [] : rejectCount(">", `max${suffix}`, max)),
    ...(min === 0 ? [] : rejectCount("<", `min${suffix}`, min)),
  ];
}
