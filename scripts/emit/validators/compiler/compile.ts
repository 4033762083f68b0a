import { regularExpression } from "../../../code/encode.js";
import { isForeign, compilePattern } from "./pattern.js";
import type { JsonObject } from "../../../model/model.js";
import { isObject } from "../../../model/node.js";
import { arrayKeywords } from "./arrays.js";
import { type Block, has, hash, lacks, pathExpression, when } from "./code.js";
import {
  ALL_VALID,
  type DynamicScope,
  type CodeGenerator,
  type CodegenContext,
  namedSchemas,
  keywordValue,
  reject,
  rejectIf,
  preview,
  type Unit,
} from "./context.js";
import { functionCode, findRecursive } from "./functions.js";
import { FunctionNames } from "./names.js";
import { objectKeywords, property } from "./objects.js";
import { CORE, MOST_REASONS, RUNTIME } from "./runtime.js";
import { numberKeywords, stringKeywords, typeKeyword, valueKeywords } from "./scalars.js";
import { ALL_TYPES, evaluatesNothing, toJsonTypes } from "../../../model/schema/composition.js";
import { isAssertion } from "../../../model/schema/keywords.js";
import type { Schema } from "../../../model/schema/schema.js";
import { SchemaProblem } from "./problem.js";
import { declaredTypes, isType } from "./types.js";
import { tracksEvaluated, unevaluatedKeywords } from "./unevaluated.js";
import { compositionKeywords, conditionalKeywords, unionKeywords } from "./unions.js";

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

/** A member of an object without a schema, e.g. a parameter of an operation. */
export interface Member {
  name: string;
  required: boolean;
  /** Its schema; undefined where anything is allowed. */
  schema: Schema | undefined;
  /** Whether the schema is shared and therefore gets a function of its own. */
  apart: boolean;
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
  private readonly parts = new Map<string, Unit>();
  private readonly constants = new Map<string, string>();
  private readonly helpers = new Set<string>();
  private readonly waiting: Unit[] = [];
  private readonly expected = new Map<string, string>();

  constructor(private readonly options: CompileOptions) {
    this.names = new FunctionNames(options.names);
  }

  /** Descriptions of the expected values by pattern, declared with `x-expected`. */
  get expectations(): Record<string, string> {
    return Object.fromEntries([...this.expected].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * Returns the name of the function that checks a value against a schema; undefined if every value matches, or if there
   * is a problem.
   */
  check(node: Schema): string | undefined {
    try {
      const scope = this.enterScope(NO_SCOPE, node);
      const [target, targetScope] = this.target(node, scope);
      if (this.isTrivial(target)) return undefined;
      const { name } = this.unitFor(target, targetScope, false);
      this.compileWaiting();
      return name;
    } catch (error) {
      this.report(error);
      return undefined;
    }
  }

  /**
   * Returns the name of the function that checks the listed members of an object and accepts all others.
   *
   * @param key identifies the object; the same key has the same members
   */
  checkMembers(key: string, members: readonly Member[]): string {
    const name = this.names.nameOf(key);
    if (this.parts.has(name)) return name;
    const unit = this.newUnit(name, undefined, key.slice(key.indexOf("#") + 1), NO_SCOPE, false);
    this.parts.set(name, unit);
    const context: CodegenContext = { ...this.contextOf(unit), types: new Set(["object"]) };
    unit.body.push(...rejectIf(`!${this.helper("isObject")}(value)`, context, "type", { type: "object" }));
    for (const member of members) {
      if (member.required) {
        const params: JsonObject = { missingProperty: member.name };
        unit.body.push(...rejectIf(lacks("value", member.name), context, "required", params));
      }
    }
    for (const member of members) {
      if (!member.schema) continue;
      const check = (schema: Schema, inner: CodegenContext): Block =>
        member.apart ? this.callSchema(schema, inner) : this.schema(schema, inner);
      try {
        unit.body.push(...property(member.name, member.schema, member.required, context, this, check));
      } catch (error) {
        this.report(error);
      }
    }
    this.compileWaiting();
    return name;
  }

  /** The code of the requested functions. The order of requests does not change it. */
  code(): string {
    const units = [...this.units.values(), ...this.parts.values()];
    const recursive = findRecursive(units);
    const functions = units
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((unit) => functionCode(unit, recursive.has(unit)));
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

  schema(node: Schema, outer: CodegenContext): Block {
    const { value } = node;
    if (value === true) return [];
    if (value === false) return reject(outer, "false schema", "{}");
    if (!isObject(value)) throw new SchemaProblem(node, `a schema must be an object, not ${preview(value)}`);
    if (node.problem !== undefined) throw new SchemaProblem(node, node.problem);
    const context = { ...outer, scope: this.enterScope(outer.scope, node) };
    const { keywords: values, nullable } = node;
    // Evaluated properties are tracked per function, so such a schema has its own.
    if (context.unit.node !== node && tracksEvaluated(node, values)) {
      return this.call(this.unit(node, context, context.evaluated !== undefined), context);
    }
    const block = this.keywords(node, values, nullable, context);
    if (!nullable || block.length === 0) return block;
    return [`if (${context.value} !== null) {`, block, "}"];
  }

  private keywords(node: Schema, values: JsonObject, nullable: boolean, outer: CodegenContext): Block {
    const types = declaredTypes(node, values);
    const known = types && toJsonTypes(types);
    // Errors appear in this order: the type, the value itself, its members, then combinations.
    // A function that reports all errors continues after a wrong type.
    const narrows = known !== undefined && !outer.unit.reportsAll;
    const context = narrows ? { ...outer, types: intersect(outer.types, known) } : outer;
    this.collectExpectation(values);
    return [
      ...typeKeyword(node, values, outer, nullable),
      ...valueKeywords(node, values, context, nullable, this),
      ...this.references(node, values, context),
      ...numberKeywords(node, values, context, this),
      ...stringKeywords(node, values, context, this.options.formats, this),
      ...arrayKeywords(node, values, context, this),
      ...objectKeywords(node, values, context, this),
      ...this.dependentSchemas(node, context),
      ...compositionKeywords(node, context, this),
      ...unionKeywords(node, values, context, this),
      ...conditionalKeywords(node, context, this),
      ...unevaluatedKeywords(node, context, this),
    ];
  }

  private references(node: Schema, values: JsonObject, context: CodegenContext): Block {
    const block: Block = [];
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const reference = keywordValue(values, keyword);
      if (reference === undefined) continue;
      if (typeof reference !== "string") {
        throw new SchemaProblem(node, `${keyword} must be a string, not ${preview(reference)}`, keyword);
      }
      const target = keyword === "$ref" ? node.reference : dynamicTarget(node, context.scope);
      if (!target) throw new SchemaProblem(node, `${keyword} leads nowhere: ${reference}`, keyword);
      block.push(...this.callSchema(target, context));
    }
    return block;
  }

  /** Statements that check a value with the function for a schema. */
  private callSchema(target: Schema, context: CodegenContext): Block {
    if (target.boolean === false) return reject(context, "false schema", "{}");
    return this.isTrivial(target)
      ? []
      : this.call(this.unit(target, context, this.tracks(target, context)), context);
  }

  private dependentSchemas(node: Schema, context: CodegenContext): Block {
    if (!context.types.has("object")) return [];
    const block = [...namedSchemas(node, "dependentSchemas")].flatMap(([name, schema]) => {
      const code = this.schema(schema, {
        ...context,
        types: intersect(context.types, OBJECT),
      });
      return when(has(context.value, name), code);
    });
    if (block.length === 0 || context.types.size === 1) return block;
    return [`if (${this.helper("isObject")}(${context.value})) {`, block, "}"];
  }

  private call(unit: Unit, context: CodegenContext): Block {
    const path = context.path.length === 0 ? "path" : `errors && ${pathExpression(context.path)}`;
    const evaluated = unit.tracks && context.evaluated !== undefined ? `, ${context.evaluated}` : "";
    const call = `!${unit.name}(${context.value}, errors, ${path}${evaluated})`;
    if (!context.unit.reportsAll) return [`if (${call}) return false;`];
    return [`if (${call}) {`, ["if (errors === null) return false;", `${ALL_VALID} = false;`], "}"];
  }

  private tracks(node: Schema, context: CodegenContext): boolean {
    return context.evaluated !== undefined && !evaluatesNothing(node);
  }

  test(node: Schema, context: CodegenContext): string {
    const { value } = node;
    if (typeof value === "boolean") return String(value);
    const tracks = this.tracks(node, context);
    if (!tracks && isObject(value)) {
      const { keywords: values, nullable } = node;
      const [only, ...others] = Object.keys(values).filter((key) => isAssertion(key));
      const types = only === "type" && others.length === 0 ? declaredTypes(node, values) : undefined;
      if (types && !nullable) {
        const tests = types.map((type) => isType(type, context.value));
        return tests.length === 1 ? tests.join("") : `(${tests.join(" || ")})`;
      }
      if (this.isTrivial(node)) return "true";
    }
    const { name } = this.unit(node, context, tracks);
    return tracks
      ? `${this.helper("testTracked")}(${name}, ${context.value}, ${context.evaluated})`
      : `${name}(${context.value}, null, null)`;
  }

  unit(node: Schema, context: CodegenContext, tracks: boolean): Unit {
    const [target, scope] = this.target(node, this.enterScope(context.scope, node));
    const unit = this.unitFor(target, scope, tracks);
    if (context.depth === 0) context.unit.sameValueCalls.add(unit);
    return unit;
  }

  private unitFor(node: Schema, scope: DynamicScope, tracks: boolean): Unit {
    const key = `${schemaKey(node)} ${tracks} ${scope.key}`;
    const known = this.units.get(key);
    if (known) return known;
    const name = [
      this.nameFor(node),
      ...(scope.key === "" ? [] : [hash(scope.key)]),
      ...(tracks ? ["tracked"] : []),
    ].join("$");
    const unit = this.newUnit(name, node, node.pointer, scope, tracks);
    this.units.set(key, unit);
    this.waiting.push(unit);
    return unit;
  }

  /** Follows schemas that contain only a `$ref`. */
  private target(node: Schema, scope: DynamicScope): [Schema, DynamicScope] {
    const visited = new Set<Schema>();
    let current = node;
    let inner = scope;
    while (isObject(current.value) && !visited.has(current)) {
      visited.add(current);
      const { keywords: values, nullable, reference } = current;
      const assertions = Object.keys(values).filter((key) => isAssertion(key));
      if (nullable || assertions.length !== 1 || !reference) break;
      current = reference;
      inner = this.enterScope(inner, current);
    }
    return [current, inner];
  }

  /** Generates the requested functions, and those that they request in turn. */
  private compileWaiting(): void {
    for (let unit = this.waiting.pop(); unit; unit = this.waiting.pop()) {
      try {
        this.compileUnit(unit);
      } catch (error) {
        this.report(error);
      }
    }
  }

  private compileUnit(unit: Unit): void {
    const context = this.contextOf(unit);
    const { node } = unit;
    if (!node) return;
    const tracks = tracksEvaluated(node, node.keywords);
    if (tracks) {
      unit.body.push("const evaluated = new Set();");
      unit.body.push(...this.schema(node, { ...context, evaluated: "evaluated" }));
      if (unit.tracks) unit.body.push("for (const each of evaluated) outer.add(each);");
    } else {
      unit.body.push(...this.schema(node, { ...context, evaluated: unit.tracks ? "outer" : undefined }));
    }
  }

  private newUnit(
    name: string,
    node: Schema | undefined,
    pointer: string,
    scope: DynamicScope,
    tracks: boolean,
  ): Unit {
    const { reportAll: reportsAll = false } = this.options;
    return { name, node, pointer, scope, tracks, sameValueCalls: new Set(), reportsAll, locals: 0, body: [] };
  }

  private contextOf(unit: Unit): CodegenContext {
    const { scope } = unit;
    return { value: "value", path: [], depth: 0, types: ALL_TYPES, evaluated: undefined, scope, unit };
  }

  private enterScope(scope: DynamicScope, node: Schema): DynamicScope {
    const { dynamicAnchors } = node;
    if (dynamicAnchors.size === 0) return scope;
    const added = [...dynamicAnchors].filter(([name]) => !scope.anchors.has(name));
    if (added.length === 0) return scope;
    const all = new Map([...scope.anchors, ...added]);
    const key = [...all].map(([name, target]) => `${name} ${schemaKey(target)}`).sort();
    return { anchors: all, key: key.join("\n") };
  }

  private isTrivial(node: Schema): boolean {
    if (!isObject(node.value)) return node.value === true;
    if (node.problem !== undefined) return false;
    return !Object.keys(node.keywords).some((key) => isAssertion(key));
  }

  private collectExpectation(values: JsonObject): void {
    const { pattern } = values;
    const text = values["x-expected"];
    if (typeof pattern === "string" && typeof text === "string") this.expected.set(pattern, text);
  }

  helper(name: string): string {
    if (this.helpers.has(name)) return name;
    this.helpers.add(name);
    for (const needed of RUNTIME.get(name)?.needs ?? []) this.helper(needed);
    return name;
  }

  constant(name: string, text: string): string {
    this.constants.set(name, text);
    return name;
  }

  pattern(node: Schema, source: string, keyword: string): string {
    const expression = compilePattern(source);
    if (!expression) {
      throw new SchemaProblem(
        node,
        `the pattern ${JSON.stringify(source)} is not an ECMAScript regular expression`,
        keyword,
      );
    }
    return this.constant(`pattern$${hash(source)}`, regularExpression(expression));
  }

  /** Reports a pattern of another dialect as unchecked; the rest of the schema is checked. */
  isAmbiguousPattern(node: Schema, source: string): boolean {
    if (compilePattern(source) || !isForeign(source)) return false;
    const message = `the pattern ${JSON.stringify(source)} is not checked: it is not an ECMAScript regular expression`;
    this.unchecked.push({ uri: node.resource.source.uri, pointer: `${node.pointer}/pattern`, message });
    return true;
  }

  nameFor(node: Schema): string {
    return this.names.nameOf(schemaKey(node));
  }

  private report(error: unknown): void {
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

/** The target of a `$dynamicRef`: the outermost schema with the dynamic anchor on the way to the current schema. */
function dynamicTarget(node: Schema, scope: DynamicScope): Schema | undefined {
  const found = node.dynamicReference;
  return (found?.anchor === undefined ? undefined : scope.anchors.get(found.anchor)) ?? found?.schema;
}
