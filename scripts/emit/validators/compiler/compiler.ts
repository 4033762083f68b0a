import type { Problem } from "../../../diagnostic.js";
import { findStronglyConnectedComponents } from "../../../strongly-connected-components.js";
import { getOrCreate } from "../../../maps.js";
import { compareText } from "../../../text.js";
import { ALL_TYPES } from "../../../model/schema/json-types.js";
import type { Schema } from "../../../model/schema/schema.js";
import { SchemaError } from "../../../model/schema/schema-error.js";
import { type DynamicScope, EMPTY_SCOPE } from "../../../model/schema/dynamic-scope.js";
import type { Block } from "./block.js";
import {
  type CheckFunction,
  type CodegenContext,
  type CodeGenerator,
  type CompileOptions,
  rejectIf,
  rejectOtherTypes,
} from "./context.js";
import { FunctionNames } from "./function-names.js";
import { generateProperty } from "./keywords/objects.js";
import { printFunction } from "./print-function.js";
import { findMemoizedFunctions } from "./memoized-functions.js";
import { findExcessiveRecursion } from "./mutual-recursion.js";
import { printLacksMember } from "./expressions.js";
import { acceptsEverything, followReferences } from "./assertions.js";
import { printCore, HELPERS } from "./helpers.js";
import { generateSchemaCall, generateSchemaChecks, generateSchemaTest } from "./schema-checks.js";
import { computeShortHash } from "./short-hash.js";
import { ERROR_COUNT_BEFORE, mustTrackEvaluated } from "./keywords/unevaluated.js";

/**
 * Maximum number of dynamic scopes in which schemas are compiled. Each scope has functions of its own, and each `$dynamicAnchor` can
 * double the number of scopes.
 */
const MAX_DYNAMIC_SCOPES = 100;

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
 * A schema becomes a function `(value, errors, path)`, see `printFunction`. The output contains only the functions that the
 * requested checks reach.
 */
export class Compiler implements CodeGenerator {
  /** Errors about schemas that cannot be compiled, and warnings about keywords that are not checked and invalid defaults. */
  readonly problems: Problem[] = [];
  readonly generateChecks = generateSchemaChecks;
  readonly generateTest = generateSchemaTest;
  private readonly names: FunctionNames;
  private readonly functions = new Map<string, CheckFunction>();
  /** Functions whose bodies have not been generated yet. */
  private readonly pending: CheckFunction[] = [];
  private readonly constants = new Map<string, string>();
  private readonly helpers = new Set<string>();
  private readonly scopeKeys = new Set<string>();

  constructor(readonly options: CompileOptions) {
    this.names = new FunctionNames(options.names);
  }

  /**
   * Returns the name of the function that checks a value against a schema; undefined if every value matches, or if there
   * is a problem.
   */
  addCheck(schema: Schema): string | undefined {
    return this.collectProblem(() => {
      const [target, scope] = followReferences(schema, EMPTY_SCOPE);
      if (acceptsEverything(target)) return undefined;
      const { name } = this.getOrCreateFunction(target, scope, false);
      this.compilePending();
      return name;
    });
  }

  /**
   * Returns the name of the function that checks the given members of an object and accepts all other members.
   *
   * @param key identifies the object; the same key has the same members
   */
  addMembersCheck({ key, members }: { key: string; members: readonly ObjectMember[] }): string {
    const name = this.names.getName(key);
    if (this.functions.has(key)) return name;
    const added = createFunction({ name, pointer: key.slice(key.indexOf("#") + 1) });
    this.functions.set(key, added);
    const context: CodegenContext = { ...this.createContext(added), possibleTypes: new Set(["object"]) };
    const checks: Block = [];
    for (const { name: missingProperty, required } of members) {
      const isMissing = printLacksMember("value", missingProperty);
      if (required) checks.push(...rejectIf(isMissing, context, "required", { missingProperty }));
    }
    // Several operations can share a component, which therefore gets a function of its own.
    const check = (schema: Schema, inner: CodegenContext): Block =>
      schema.isInComponents ? generateSchemaCall(schema, inner) : generateSchemaChecks(schema, inner);
    for (const { name: property, schema } of members) {
      if (schema)
        this.collectProblem(() => checks.push(...generateProperty(property, schema, context, check)));
    }
    added.body.push(...rejectOtherTypes("!isObject(value)", context, { type: "object" }, checks));
    this.compilePending();
    return name;
  }

  /** Prints the requested functions, sorted by name, and the runtime functions that they call. Can add a problem. */
  printCode(): string {
    const functions = [...this.functions.values()].sort((a, b) => compareText(a.name, b.name));
    const recursive = findStronglyConnectedComponents(functions, ({ calls }) =>
      calls.filter(({ path }) => path.length === 0).map(({ called }) => called),
    );
    this.collectProblem(() => {
      const { schema } = findExcessiveRecursion(recursive) ?? {};
      if (schema)
        throw new SchemaError(
          schema,
          "it and other schemas refer to each other in millions of ways, without properties or items in between",
        );
    });
    const memoized = findMemoizedFunctions(functions, recursive);
    for (const memoization of memoized.values())
      this.useHelper(memoization === "shared" ? "checkShared" : "checkOnce");
    const constants = [...this.constants].sort(([a], [b]) => compareText(a, b));
    return [
      ...constants.map(([name, text]) => `const ${name} = ${text};`),
      printCore(this.options.maxErrors),
      ...[...HELPERS].filter(([name]) => this.helpers.has(name)).map(([, text]) => text),
      ...functions.map((each) => printFunction(each, recursive.has(each), memoized.get(each))),
    ].join("\n\n");
  }

  getFunction(
    schema: Schema,
    context: CodegenContext,
    tracksEvaluated: boolean,
    isReport = false,
  ): CheckFunction {
    const [target, scope] = followReferences(schema, context.scope);
    const found = this.getOrCreateFunction(target, scope, tracksEvaluated);
    const { enclosingFunction, path, branches } = context;
    enclosingFunction.calls.push({ called: found, path, branches, isReport });
    return found;
  }

  private getOrCreateFunction(schema: Schema, scope: DynamicScope, tracksEvaluated: boolean): CheckFunction {
    const key = `${schema.key} ${tracksEvaluated} ${scope.key}`;
    return getOrCreate(this.functions, key, () => {
      const name = [
        this.chooseName(schema),
        ...(scope.key === "" ? [] : [computeShortHash(scope.key)]),
        ...(tracksEvaluated ? ["tracked"] : []),
      ].join("$");
      const added = createFunction({ name, schema, pointer: schema.pointer, scope, tracksEvaluated });
      this.scopeKeys.add(scope.key);
      this.pending.push(added);
      return added;
    });
  }

  /** Generates the bodies of the pending functions, which can add further functions. */
  private compilePending(): void {
    for (let next = this.pending.pop(); next; next = this.pending.pop()) {
      const { schema, tracksEvaluated, body } = next;
      if (!schema) continue;
      if (this.scopeKeys.size > MAX_DYNAMIC_SCOPES)
        throw new SchemaError(
          schema,
          `more than ${MAX_DYNAMIC_SCOPES} combinations of $dynamicAnchors apply to it`,
        );
      const context = this.createContext(next);
      this.collectProblem(() => {
        if (!mustTrackEvaluated(schema)) {
          const evaluatedVariable = tracksEvaluated ? "outer" : undefined;
          body.push(...generateSchemaChecks(schema, { ...context, evaluatedVariable }));
          return;
        }
        body.push("const evaluated = new Set();", `const ${ERROR_COUNT_BEFORE} = errorCount;`);
        body.push(...generateSchemaChecks(schema, { ...context, evaluatedVariable: "evaluated" }));
        if (tracksEvaluated) body.push("for (const each of evaluated) outer.add(each);");
      });
    }
  }

  private createContext(enclosingFunction: CheckFunction): CodegenContext {
    const { scope } = enclosingFunction;
    return {
      valueVariable: "value",
      path: [],
      level: 0,
      possibleTypes: ALL_TYPES,
      evaluatedVariable: undefined,
      scope,
      branches: new Map(),
      enclosingFunction,
      generator: this,
    };
  }

  useHelper(name: string): string {
    if (this.helpers.has(name)) return name;
    this.helpers.add(name);
    const text = HELPERS.get(name) ?? "";
    // Adds the runtime functions that this one calls.
    for (const other of HELPERS.keys()) if (text.includes(`${other}(`)) this.useHelper(other);
    return name;
  }

  addConstant(name: string, text: string): string {
    const known = this.constants.get(name);
    // The hashes of two patterns can be the same.
    if (known !== undefined && known !== text) return this.addConstant(`${name}$`, text);
    this.constants.set(name, text);
    return name;
  }

  addWarning(schema: Schema, keyword: string, message: string): void {
    this.problems.push({ severity: "warning", pointer: `${schema.pointer}/${keyword}`, message });
  }

  chooseName(schema: Schema): string {
    return this.names.getName(schema.key);
  }

  /** Runs an action. If a schema cannot be compiled, adds its error to `problems` and returns undefined. */
  private collectProblem<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      const { pointer, message } = error;
      this.problems.push({ severity: "error", pointer, message });
      return undefined;
    }
  }
}

function createFunction(
  properties: Pick<CheckFunction, "name" | "pointer"> & Partial<CheckFunction>,
): CheckFunction {
  const defaults = { schema: undefined, scope: EMPTY_SCOPE, tracksEvaluated: false };
  return { ...defaults, calls: [], localCount: 0, body: [], ...properties };
}
