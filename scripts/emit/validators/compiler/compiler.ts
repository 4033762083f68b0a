import { numberCycles } from "../../../find-cycles.js";
import { isObject } from "../../../model/node.js";
import { ALL_TYPES, evaluatesNothing, toJsonTypes } from "../../../model/schema/composition.js";
import type { Schema } from "../../../model/schema/schema.js";
import { generateArrayKeywords } from "./arrays.js";
import type { Block } from "./block.js";
import { printLacksMember } from "./print-member.js";
import { printPath } from "./value-path.js";
import { computeShortHash } from "./short-hash.js";
import {
  ALL_VALID,
  type CheckFunction,
  type CodegenContext,
  type CodeGenerator,
  type FunctionOptions,
  reject,
  rejectIf,
} from "./context.js";
import {
  acceptsEverything,
  createSchemaKey,
  type DynamicScope,
  EMPTY_SCOPE,
  enterScope,
  followReferences,
  listAssertions,
  resolveDynamicReference,
} from "./references.js";
import { FunctionNames } from "./names.js";
import { generateDependentSchemas, generateObjectKeywords, generateProperty } from "./objects.js";
import { printFunction } from "./print-function.js";
import { createValueProblem, preview, SchemaProblem } from "./problem.js";
import { CORE, MOST_REASONS, RUNTIME } from "./runtime.js";
import {
  generateEnumAndConst,
  generateNumberKeywords,
  generateStringKeywords,
  generateType,
} from "./scalars.js";
import { readTypes } from "./read-keywords.js";
import { printTypeTest } from "./type-tests.js";
import { generateUnevaluatedKeywords, mustTrackEvaluated } from "./unevaluated.js";
import { generateCompositionKeywords, generateConditionalKeywords, generateUnionKeywords } from "./unions.js";

export interface CompileOptions {
  /** Names by `URI#pointer`, so that functions have the names of the document's schemas. */
  names: ReadonlyMap<string, string>;
  /** The formats that are asserted, by name; all others are annotations. */
  formats: ReadonlyMap<string, RegExp>;
  /** Whether validators report every error; by default they stop at the first of each schema. */
  reportAll?: boolean;
}

/** The reason why a schema cannot be compiled, or why a keyword is not checked. */
export interface CompileProblem {
  /** JSON pointer of the keyword, or of the schema. */
  pointer: string;
  message: string;
}

/** A member of an object that has no schema in the document, e.g. a parameter of an operation. */
export interface ObjectMember {
  name: string;
  required: boolean;
  /** Schema of its value; undefined if every value is allowed. */
  schema: Schema | undefined;
}

/**
 * Compiles JSON Schemas of draft 2020-12, and OpenAPI's variants of it, to JavaScript.
 *
 * A schema becomes a function `(value, errors, path)` that returns whether the value matches. If `errors` is a list, it
 * adds the reasons. The output contains only the functions that the requested checks reach.
 */
export class Compiler implements CodeGenerator {
  /** Schemas that cannot be compiled. */
  readonly problems: CompileProblem[] = [];
  /** Keywords that the functions do not check. */
  readonly unchecked: CompileProblem[] = [];
  readonly formats: ReadonlyMap<string, RegExp>;
  readonly reportsAll: boolean;
  private readonly names: FunctionNames;
  private readonly functions = new Map<string, CheckFunction>();
  /** Functions without a body. */
  private readonly pending: CheckFunction[] = [];
  private readonly constants = new Map<string, string>();
  private readonly helpers = new Set<string>();
  private readonly expectedByPattern = new Map<string, string>();

  constructor({ names, formats, reportAll = false }: CompileOptions) {
    this.names = new FunctionNames(names);
    this.formats = formats;
    this.reportsAll = reportAll;
  }

  /** Descriptions of the expected values by pattern, declared with `x-expected`. */
  get expectations(): Record<string, string> {
    return Object.fromEntries([...this.expectedByPattern].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * Returns the name of the function that checks a value against a schema; undefined if every value matches, or if there
   * is a problem.
   */
  addCheck(schema: Schema): string | undefined {
    return this.reportProblems(() => {
      const [target, scope] = followReferences(schema, EMPTY_SCOPE);
      if (acceptsEverything(target)) return undefined;
      const { name } = this.getOrCreateFunction(target, scope, { tracksEvaluated: false });
      this.compilePending();
      return name;
    });
  }

  /**
   * Returns the name of the function that checks the given members of an object and accepts all other members.
   *
   * @param key identifies the object; the same key has the same members
   * @param isShared whether several operations share a schema, which then gets a function of its own
   */
  addMembersCheck(
    key: string,
    members: readonly ObjectMember[],
    isShared: (schema: Schema) => boolean,
  ): string {
    const name = this.names.nameOf(key);
    if (this.functions.has(key)) return name;
    const added = createFunction({
      name,
      schema: undefined,
      pointer: key.slice(key.indexOf("#") + 1),
      scope: EMPTY_SCOPE,
      tracksEvaluated: false,
    });
    this.functions.set(key, added);
    const { body } = added;
    const context: CodegenContext = { ...this.createContext(added), types: new Set(["object"]) };
    body.push(...rejectIf(`!${this.useHelper("isObject")}(value)`, context, "type", { type: "object" }));
    for (const { name: missingProperty, required } of members) {
      const isMissing = printLacksMember("value", missingProperty);
      if (required) body.push(...rejectIf(isMissing, context, "required", { missingProperty }));
    }
    const check = (schema: Schema, inner: CodegenContext): Block =>
      isShared(schema) ? this.generateSchemaCall(schema, inner) : this.generateChecks(schema, inner);
    for (const { name: property, schema, required } of members) {
      if (!schema) continue;
      this.reportProblems(() => body.push(...generateProperty(property, schema, required, context, check)));
    }
    this.compilePending();
    return name;
  }

  /** Prints the requested functions, sorted by name, and the runtime functions that they call. */
  printCode(): string {
    const functions = [...this.functions.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const recursive = numberCycles(functions, ({ sameValueCalls }) => sameValueCalls);
    const constants = [...this.constants].sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      ...constants.map(([name, text]) => `const ${name} = ${text};`),
      CORE.trim(),
      ...[...RUNTIME]
        .filter(([name]) => this.helpers.has(name))
        .map(([, text]) => text.replace(MOST_REASONS, this.reportsAll ? "100000" : "100")),
      ...functions.map((checkFunction) =>
        printFunction(checkFunction, {
          isRecursive: recursive.has(checkFunction),
          reportsAll: this.reportsAll,
        }),
      ),
    ].join("\n\n");
  }

  generateChecks(schema: Schema, outer: CodegenContext): Block {
    const { value, nullable } = schema;
    if (value === true) return [];
    if (value === false) return reject(outer, "false schema", "{}");
    if (!isObject(value))
      throw new SchemaProblem(schema, `a schema must be an object, not ${preview(value)}`);
    if (schema.problem !== undefined) throw new SchemaProblem(schema, schema.problem);
    const context = { ...outer, scope: enterScope(outer.scope, schema) };
    // Each function tracks one set of evaluated properties, so a schema that needs its own set gets its own function.
    if (context.enclosingFunction.schema !== schema && mustTrackEvaluated(schema)) {
      const tracksEvaluated = context.evaluated !== undefined;
      return this.generateCall(this.getFunction(schema, context, { tracksEvaluated }), context);
    }
    const block = this.generateKeywords(schema, context);
    if (!nullable || block.length === 0) return block;
    return [`if (${context.value} !== null) {`, block, "}"];
  }

  private generateKeywords(schema: Schema, outer: CodegenContext): Block {
    this.collectExpectation(schema);
    // For type tests, which print calls of it.
    this.useHelper("isObject");
    const types = readTypes(schema);
    const known = types && toJsonTypes(types);
    // A function that reports all errors continues after a wrong type.
    const narrows = known !== undefined && !this.reportsAll;
    const context = narrows
      ? { ...outer, types: new Set([...outer.types].filter((type) => known.has(type))) }
      : outer;
    // Errors appear in this order: the type, the value itself, its members, then combinations.
    return [
      ...generateType(schema, outer),
      ...generateEnumAndConst(schema, context),
      ...this.generateReferences(schema, context),
      ...generateNumberKeywords(schema, context),
      ...generateStringKeywords(schema, context),
      ...generateArrayKeywords(schema, context),
      ...generateObjectKeywords(schema, context),
      ...generateDependentSchemas(schema, context),
      ...generateCompositionKeywords(schema, context),
      ...generateUnionKeywords(schema, context),
      ...generateConditionalKeywords(schema, context),
      ...generateUnevaluatedKeywords(schema, context),
    ];
  }

  private generateReferences(schema: Schema, context: CodegenContext): Block {
    return ["$ref", "$dynamicRef"].flatMap((keyword) => {
      const reference = schema.keyword(keyword);
      if (reference === undefined) return [];
      if (typeof reference !== "string") throw createValueProblem(schema, keyword, "a string", reference);
      const target = keyword === "$ref" ? schema.reference : resolveDynamicReference(schema, context.scope);
      if (!target) throw new SchemaProblem(schema, `${keyword} leads nowhere: ${reference}`, keyword);
      return this.generateSchemaCall(target, context);
    });
  }

  /** Generates statements that check a value with the function of a schema. */
  private generateSchemaCall(target: Schema, context: CodegenContext): Block {
    if (target.boolean === false) return reject(context, "false schema", "{}");
    if (acceptsEverything(target)) return [];
    const tracksEvaluated = needsTracking(target, context);
    return this.generateCall(this.getFunction(target, context, { tracksEvaluated }), context);
  }

  private generateCall({ name, tracksEvaluated }: CheckFunction, context: CodegenContext): Block {
    const path = context.path.length === 0 ? "path" : `errors && ${printPath(context.path)}`;
    const evaluated = tracksEvaluated && context.evaluated !== undefined ? `, ${context.evaluated}` : "";
    const call = `!${name}(${context.value}, errors, ${path}${evaluated})`;
    if (!this.reportsAll) return [`if (${call}) return false;`];
    return [`if (${call}) {`, ["if (errors === null) return false;", `${ALL_VALID} = false;`], "}"];
  }

  generateTest(schema: Schema, context: CodegenContext): string {
    const { value } = schema;
    if (typeof value === "boolean") return String(value);
    const tracksEvaluated = needsTracking(schema, context);
    if (!tracksEvaluated && isObject(value)) {
      const [only, ...others] = listAssertions(schema);
      const types = only === "type" && others.length === 0 ? readTypes(schema) : undefined;
      if (types && !schema.nullable) {
        const tests = types.map((type) => printTypeTest(type, context.value));
        return tests.length === 1 ? tests.join("") : `(${tests.join(" || ")})`;
      }
      if (acceptsEverything(schema)) return "true";
    }
    const { name } = this.getFunction(schema, context, { tracksEvaluated });
    return tracksEvaluated
      ? `${this.useHelper("testTracked")}(${name}, ${context.value}, ${context.evaluated})`
      : `${name}(${context.value}, null, null)`;
  }

  getFunction(schema: Schema, context: CodegenContext, options: FunctionOptions): CheckFunction {
    const [target, scope] = followReferences(schema, context.scope);
    const found = this.getOrCreateFunction(target, scope, options);
    if (context.depth === 0) context.enclosingFunction.sameValueCalls.add(found);
    return found;
  }

  private getOrCreateFunction(
    schema: Schema,
    scope: DynamicScope,
    { tracksEvaluated }: FunctionOptions,
  ): CheckFunction {
    const key = `${createSchemaKey(schema)} ${tracksEvaluated} ${scope.key}`;
    const existing = this.functions.get(key);
    if (existing) return existing;
    const name = [
      this.chooseName(schema),
      ...(scope.key === "" ? [] : [computeShortHash(scope.key)]),
      ...(tracksEvaluated ? ["tracked"] : []),
    ].join("$");
    const added = createFunction({ name, schema, pointer: schema.pointer, scope, tracksEvaluated });
    this.functions.set(key, added);
    this.pending.push(added);
    return added;
  }

  /** Generates the bodies of the pending functions, which can add further functions. */
  private compilePending(): void {
    for (let next = this.pending.pop(); next; next = this.pending.pop()) {
      const { schema, tracksEvaluated, body } = next;
      if (!schema) continue;
      const context = this.createContext(next);
      this.reportProblems(() => {
        if (!mustTrackEvaluated(schema)) {
          const evaluated = tracksEvaluated ? "outer" : undefined;
          body.push(...this.generateChecks(schema, { ...context, evaluated }));
          return;
        }
        body.push("const evaluated = new Set();");
        body.push(...this.generateChecks(schema, { ...context, evaluated: "evaluated" }));
        if (tracksEvaluated) body.push("for (const each of evaluated) outer.add(each);");
      });
    }
  }

  private createContext(enclosingFunction: CheckFunction): CodegenContext {
    const { scope } = enclosingFunction;
    return {
      value: "value",
      path: [],
      depth: 0,
      types: ALL_TYPES,
      evaluated: undefined,
      scope,
      enclosingFunction,
      generator: this,
    };
  }

  private collectExpectation(schema: Schema): void {
    const pattern = schema.text("pattern");
    const expected = schema.text("x-expected");
    if (pattern !== undefined && expected !== undefined) this.expectedByPattern.set(pattern, expected);
  }

  useHelper(name: string): string {
    if (this.helpers.has(name)) return name;
    this.helpers.add(name);
    const text = RUNTIME.get(name) ?? "";
    // Adds the runtime functions that this one calls.
    for (const other of RUNTIME.keys()) if (text.includes(`${other}(`)) this.useHelper(other);
    return name;
  }

  addConstant(name: string, text: string): string {
    this.constants.set(name, text);
    return name;
  }

  reportUnchecked(schema: Schema, keyword: string, message: string): void {
    this.unchecked.push({ pointer: `${schema.pointer}/${keyword}`, message });
  }

  chooseName(schema: Schema): string {
    return this.names.nameOf(createSchemaKey(schema));
  }

  /** Runs an action. Adds the problem of a schema that cannot be compiled to `problems`, and returns undefined. */
  private reportProblems<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof SchemaProblem)) throw error;
      const { pointer, message } = error;
      this.problems.push({ pointer, message });
      return undefined;
    }
  }
}

/** Creates a function without a body. */
function createFunction(
  properties: Omit<CheckFunction, "sameValueCalls" | "localCount" | "body">,
): CheckFunction {
  return { ...properties, sameValueCalls: new Set(), localCount: 0, body: [] };
}

/** Whether a test of a schema must add evaluated properties or items to the set of the context. */
function needsTracking(schema: Schema, { evaluated }: CodegenContext): boolean {
  return evaluated !== undefined && !evaluatesNothing(schema);
}
