import { regularExpressionLiteral } from "../../../code/encode.js";
import { isOtherDialect, compilePattern } from "./pattern.js";
import type { JsonObject } from "../../../model/model.js";
import { isObject } from "../../../model/node.js";
import { generateArrayKeywords } from "./arrays.js";
import { type Block, printHasMember, shortHash, printLacksMember, printPath, wrapInIf } from "./code.js";
import {
  ALL_VALID,
  type DynamicScope,
  type CodeGenerator,
  type CodegenContext,
  readSubschemaMap,
  readKeyword,
  reject,
  rejectIf,
  preview,
  type Unit,
} from "./context.js";
import { printFunction, findRecursiveFunctions } from "./functions.js";
import { FunctionNames } from "./names.js";
import { generateObjectKeywords, generateProperty } from "./objects.js";
import { CORE, MOST_REASONS, RUNTIME } from "./runtime.js";
import {
  generateNumberKeywords,
  generateStringKeywords,
  generateType,
  generateEnumAndConst,
} from "./scalars.js";
import { ALL_TYPES, evaluatesNothing, toJsonTypes } from "../../../model/schema/composition.js";
import { isAssertion } from "../../../model/schema/keywords.js";
import type { Schema } from "../../../model/schema/schema.js";
import { SchemaProblem } from "./problem.js";
import { readTypes, printTypeTest } from "./types.js";
import { mustTrackEvaluated, generateUnevaluatedKeywords } from "./unevaluated.js";
import { generateCompositionKeywords, generateConditionalKeywords, generateUnionKeywords } from "./unions.js";

export interface CompileOptions {
  /** Names by `URI#pointer`, so that functions have the names of the document's schemas. */
  names: ReadonlyMap<string, string>;
  /** The formats that are asserted, by name; all others are annotations. */
  formats: ReadonlyMap<string, RegExp>;
  /** Whether validators report every error; by default they stop at the first of each schema. */
  reportAll?: boolean;
}

/** A schema that cannot be compiled. */
export interface CompileProblem {
  uri: string;
  pointer: string;
  message: string;
}

/** A member to check in an object that has no schema in the document, e.g. a parameter of an operation. */
export interface MemberCheck {
  name: string;
  required: boolean;
  /** Schema of its value; undefined if every value is allowed. */
  schema: Schema | undefined;
  /** Whether several operations share the schema, which then gets a function of its own. */
  isShared: boolean;
}

const NO_SCOPE: DynamicScope = { anchors: new Map(), key: "" };

/**
 * Compiles JSON Schemas of draft 2020-12, and OpenAPI's variants of it, to JavaScript.
 *
 * A schema becomes a function `(value, errors, path)` that returns whether the value matches. If `errors` is a list, it
 * adds the reasons. The output contains only the functions that the requested checks reach.
 */
export class Compiler implements CodeGenerator {
  readonly problems: CompileProblem[] = [];
  /** Keywords that the functions do not check. */
  readonly unchecked: CompileProblem[] = [];
  private readonly names: FunctionNames;
  private readonly units = new Map<string, Unit>();
  private readonly memberUnits = new Map<string, Unit>();
  private readonly constants = new Map<string, string>();
  private readonly helpers = new Set<string>();
  private readonly pending: Unit[] = [];
  private readonly expectedByPattern = new Map<string, string>();

  constructor(private readonly options: CompileOptions) {
    this.names = new FunctionNames(options.names);
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
    try {
      const scope = this.enterScope(NO_SCOPE, schema);
      const [target, targetScope] = this.followReferences(schema, scope);
      if (this.isTrivial(target)) return undefined;
      const { name } = this.getOrCreateUnit(target, targetScope, false);
      this.compilePending();
      return name;
    } catch (error) {
      this.reportProblem(error);
      return undefined;
    }
  }

  /**
   * Returns the name of the function that checks the given members of an object and accepts all other members.
   *
   * @param key identifies the object; the same key has the same members
   */
  addMembersCheck(key: string, members: readonly MemberCheck[]): string {
    const name = this.names.nameOf(key);
    if (this.memberUnits.has(name)) return name;
    const unit = this.createUnit(name, undefined, key.slice(key.indexOf("#") + 1), NO_SCOPE, false);
    this.memberUnits.set(name, unit);
    const context: CodegenContext = { ...this.createContext(unit), types: new Set(["object"]) };
    unit.body.push(...rejectIf(`!${this.useHelper("isObject")}(value)`, context, "type", { type: "object" }));
    for (const member of members) {
      if (member.required) {
        const params: JsonObject = { missingProperty: member.name };
        unit.body.push(...rejectIf(printLacksMember("value", member.name), context, "required", params));
      }
    }
    for (const member of members) {
      if (!member.schema) continue;
      const check = (schema: Schema, inner: CodegenContext): Block =>
        member.isShared ? this.generateSchemaCall(schema, inner) : this.generateChecks(schema, inner);
      try {
        unit.body.push(
          ...generateProperty(member.name, member.schema, member.required, context, this, check),
        );
      } catch (error) {
        this.reportProblem(error);
      }
    }
    this.compilePending();
    return name;
  }

  /** Prints the requested functions, sorted by name, and the runtime functions that they call. */
  printCode(): string {
    const units = [...this.units.values(), ...this.memberUnits.values()];
    const recursive = findRecursiveFunctions(units);
    const functions = units
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((unit) => printFunction(unit, recursive.has(unit)));
    const constants = [...this.constants].sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      ...constants.map(([name, text]) => `const ${name} = ${text};`),
      CORE.trim(),
      ...[...RUNTIME]
        .filter(([name]) => this.helpers.has(name))
        .map(([, { text }]) => text.trim().replace(MOST_REASONS, this.options.reportAll ? "100000" : "100")),
      ...functions,
    ].join("\n\n");
  }

  generateChecks(schema: Schema, outer: CodegenContext): Block {
    const { value } = schema;
    if (value === true) return [];
    if (value === false) return reject(outer, "false schema", "{}");
    if (!isObject(value))
      throw new SchemaProblem(schema, `a schema must be an object, not ${preview(value)}`);
    if (schema.problem !== undefined) throw new SchemaProblem(schema, schema.problem);
    const context = { ...outer, scope: this.enterScope(outer.scope, schema) };
    const { keywords, nullable } = schema;
    // Each function tracks one set of evaluated properties, so a schema that needs its own set gets its own function.
    if (context.unit.schema !== schema && mustTrackEvaluated(schema, keywords)) {
      return this.generateCall(this.getUnit(schema, context, context.evaluated !== undefined), context);
    }
    const block = this.generateKeywords(schema, keywords, nullable, context);
    if (!nullable || block.length === 0) return block;
    return [`if (${context.value} !== null) {`, block, "}"];
  }

  private generateKeywords(
    schema: Schema,
    keywords: JsonObject,
    nullable: boolean,
    outer: CodegenContext,
  ): Block {
    const types = readTypes(schema, keywords);
    const known = types && toJsonTypes(types);
    // Errors appear in this order: the type, the value itself, its members, then combinations.
    // A function that reports all errors continues after a wrong type.
    const narrows = known !== undefined && !outer.unit.reportsAll;
    const context = narrows ? { ...outer, types: intersect(outer.types, known) } : outer;
    this.collectExpectation(keywords);
    return [
      ...generateType(schema, keywords, outer, nullable),
      ...generateEnumAndConst(schema, keywords, context, nullable, this),
      ...this.generateReferences(schema, keywords, context),
      ...generateNumberKeywords(schema, keywords, context, this),
      ...generateStringKeywords(schema, keywords, context, this.options.formats, this),
      ...generateArrayKeywords(schema, keywords, context, this),
      ...generateObjectKeywords(schema, keywords, context, this),
      ...this.generateDependentSchemas(schema, context),
      ...generateCompositionKeywords(schema, context, this),
      ...generateUnionKeywords(schema, keywords, context, this),
      ...generateConditionalKeywords(schema, context, this),
      ...generateUnevaluatedKeywords(schema, context, this),
    ];
  }

  private generateReferences(schema: Schema, keywords: JsonObject, context: CodegenContext): Block {
    const block: Block = [];
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const reference = readKeyword(keywords, keyword);
      if (reference === undefined) continue;
      if (typeof reference !== "string") {
        throw new SchemaProblem(schema, `${keyword} must be a string, not ${preview(reference)}`, keyword);
      }
      const target = keyword === "$ref" ? schema.reference : resolveDynamicReference(schema, context.scope);
      if (!target) throw new SchemaProblem(schema, `${keyword} leads nowhere: ${reference}`, keyword);
      block.push(...this.generateSchemaCall(target, context));
    }
    return block;
  }

  /** Generates statements that check a value with the function of a schema. */
  private generateSchemaCall(target: Schema, context: CodegenContext): Block {
    if (target.boolean === false) return reject(context, "false schema", "{}");
    return this.isTrivial(target)
      ? []
      : this.generateCall(this.getUnit(target, context, this.needsTracking(target, context)), context);
  }

  private generateDependentSchemas(schema: Schema, context: CodegenContext): Block {
    if (!context.types.has("object")) return [];
    const block = [...readSubschemaMap(schema, "dependentSchemas")].flatMap(([name, dependentSchema]) => {
      const code = this.generateChecks(dependentSchema, {
        ...context,
        types: intersect(context.types, OBJECT),
      });
      return wrapInIf(printHasMember(context.value, name), code);
    });
    if (block.length === 0 || context.types.size === 1) return block;
    return [`if (${this.useHelper("isObject")}(${context.value})) {`, block, "}"];
  }

  private generateCall(unit: Unit, context: CodegenContext): Block {
    const path = context.path.length === 0 ? "path" : `errors && ${printPath(context.path)}`;
    const evaluated = unit.tracksEvaluated && context.evaluated !== undefined ? `, ${context.evaluated}` : "";
    const call = `!${unit.name}(${context.value}, errors, ${path}${evaluated})`;
    if (!context.unit.reportsAll) return [`if (${call}) return false;`];
    return [`if (${call}) {`, ["if (errors === null) return false;", `${ALL_VALID} = false;`], "}"];
  }

  private needsTracking(schema: Schema, context: CodegenContext): boolean {
    return context.evaluated !== undefined && !evaluatesNothing(schema);
  }

  generateTest(schema: Schema, context: CodegenContext): string {
    const { value } = schema;
    if (typeof value === "boolean") return String(value);
    const tracks = this.needsTracking(schema, context);
    if (!tracks && isObject(value)) {
      const { keywords, nullable } = schema;
      const [only, ...others] = Object.keys(keywords).filter((key) => isAssertion(key));
      const types = only === "type" && others.length === 0 ? readTypes(schema, keywords) : undefined;
      if (types && !nullable) {
        const tests = types.map((type) => printTypeTest(type, context.value));
        return tests.length === 1 ? tests.join("") : `(${tests.join(" || ")})`;
      }
      if (this.isTrivial(schema)) return "true";
    }
    const { name } = this.getUnit(schema, context, tracks);
    return tracks
      ? `${this.useHelper("testTracked")}(${name}, ${context.value}, ${context.evaluated})`
      : `${name}(${context.value}, null, null)`;
  }

  getUnit(schema: Schema, context: CodegenContext, tracks: boolean): Unit {
    const [target, scope] = this.followReferences(schema, this.enterScope(context.scope, schema));
    const unit = this.getOrCreateUnit(target, scope, tracks);
    if (context.depth === 0) context.unit.sameValueCalls.add(unit);
    return unit;
  }

  private getOrCreateUnit(schema: Schema, scope: DynamicScope, tracks: boolean): Unit {
    const key = `${schemaKey(schema)} ${tracks} ${scope.key}`;
    const existing = this.units.get(key);
    if (existing) return existing;
    const name = [
      this.chooseName(schema),
      ...(scope.key === "" ? [] : [shortHash(scope.key)]),
      ...(tracks ? ["tracked"] : []),
    ].join("$");
    const unit = this.createUnit(name, schema, schema.pointer, scope, tracks);
    this.units.set(key, unit);
    this.pending.push(unit);
    return unit;
  }

  /** Replaces a schema that contains only a `$ref` by its target. */
  private followReferences(schema: Schema, scope: DynamicScope): [Schema, DynamicScope] {
    const visited = new Set<Schema>();
    let current = schema;
    let inner = scope;
    while (isObject(current.value) && !visited.has(current)) {
      visited.add(current);
      const { keywords, nullable, reference } = current;
      const assertions = Object.keys(keywords).filter((key) => isAssertion(key));
      if (nullable || assertions.length !== 1 || !reference) break;
      current = reference;
      inner = this.enterScope(inner, current);
    }
    return [current, inner];
  }

  /** Generates the bodies of the pending functions, which can add further functions. */
  private compilePending(): void {
    for (let unit = this.pending.pop(); unit; unit = this.pending.pop()) {
      try {
        this.compileUnit(unit);
      } catch (error) {
        this.reportProblem(error);
      }
    }
  }

  private compileUnit(unit: Unit): void {
    const context = this.createContext(unit);
    const { schema } = unit;
    if (!schema) return;
    const tracks = mustTrackEvaluated(schema, schema.keywords);
    if (tracks) {
      unit.body.push("const evaluated = new Set();");
      unit.body.push(...this.generateChecks(schema, { ...context, evaluated: "evaluated" }));
      if (unit.tracksEvaluated) unit.body.push("for (const each of evaluated) outer.add(each);");
    } else {
      unit.body.push(
        ...this.generateChecks(schema, { ...context, evaluated: unit.tracksEvaluated ? "outer" : undefined }),
      );
    }
  }

  private createUnit(
    name: string,
    schema: Schema | undefined,
    pointer: string,
    scope: DynamicScope,
    tracks: boolean,
  ): Unit {
    const { reportAll: reportsAll = false } = this.options;
    return {
      name,
      schema,
      pointer,
      scope,
      tracksEvaluated: tracks,
      sameValueCalls: new Set(),
      reportsAll,
      localCount: 0,
      body: [],
    };
  }

  private createContext(unit: Unit): CodegenContext {
    const { scope } = unit;
    return { value: "value", path: [], depth: 0, types: ALL_TYPES, evaluated: undefined, scope, unit };
  }

  private enterScope(scope: DynamicScope, schema: Schema): DynamicScope {
    const { dynamicAnchors } = schema;
    if (dynamicAnchors.size === 0) return scope;
    const added = [...dynamicAnchors].filter(([name]) => !scope.anchors.has(name));
    if (added.length === 0) return scope;
    const all = new Map([...scope.anchors, ...added]);
    const key = [...all].map(([name, target]) => `${name} ${schemaKey(target)}`).sort();
    return { anchors: all, key: key.join("\n") };
  }

  private isTrivial(schema: Schema): boolean {
    if (!isObject(schema.value)) return schema.value === true;
    if (schema.problem !== undefined) return false;
    return !Object.keys(schema.keywords).some((key) => isAssertion(key));
  }

  private collectExpectation(keywords: JsonObject): void {
    const { pattern } = keywords;
    const text = keywords["x-expected"];
    if (typeof pattern === "string" && typeof text === "string") this.expectedByPattern.set(pattern, text);
  }

  useHelper(name: string): string {
    if (this.helpers.has(name)) return name;
    this.helpers.add(name);
    for (const needed of RUNTIME.get(name)?.needs ?? []) this.useHelper(needed);
    return name;
  }

  addConstant(name: string, text: string): string {
    this.constants.set(name, text);
    return name;
  }

  addPattern(schema: Schema, source: string, keyword: string): string {
    const expression = compilePattern(source);
    if (!expression) {
      throw new SchemaProblem(
        schema,
        `the pattern ${JSON.stringify(source)} is not an ECMAScript regular expression`,
        keyword,
      );
    }
    return this.addConstant(`pattern$${shortHash(source)}`, regularExpressionLiteral(expression));
  }

  /** Reports a pattern of another dialect as unchecked; the rest of the schema is checked. */
  isAmbiguousPattern(schema: Schema, source: string): boolean {
    if (compilePattern(source) || !isOtherDialect(source)) return false;
    const message = `the pattern ${JSON.stringify(source)} is not checked: it is not an ECMAScript regular expression`;
    this.unchecked.push({ uri: schema.resource.source.uri, pointer: `${schema.pointer}/pattern`, message });
    return true;
  }

  chooseName(schema: Schema): string {
    return this.names.nameOf(schemaKey(schema));
  }

  private reportProblem(error: unknown): void {
    if (!(error instanceof SchemaProblem)) throw error;
    const { schema, pointer, message } = error;
    this.problems.push({ uri: schema.resource.source.uri, pointer, message });
  }
}

const OBJECT: ReadonlySet<"object"> = new Set(["object"] as const);

function intersect<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): ReadonlySet<T> {
  return new Set([...one].filter((each) => other.has(each)));
}

/** Unique key of a schema: the URI of its document and its unique JSON pointer. */
export function schemaKey(schema: Schema): string {
  return `${schema.resource.source.uri}#${schema.uniquePointer}`;
}

/**
 * Resolves a `$dynamicRef`: to the outermost schema in the dynamic scope with its anchor, otherwise to its static target.
 */
function resolveDynamicReference(schema: Schema, scope: DynamicScope): Schema | undefined {
  const found = schema.dynamicReference;
  return (found?.anchor === undefined ? undefined : scope.anchors.get(found.anchor)) ?? found?.schema;
}
