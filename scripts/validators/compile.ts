import { regularExpression } from "../code/encode.js";
import { isForeign, patternOf } from "./pattern.js";
import type { JsonObject } from "../model/model.js";
import { isObject } from "../model/node.js";
import { Analysis } from "./analysis.js";
import { arrayKeywords } from "./arrays.js";
import { type Block, has, hash, lacks, pathExpression, when } from "./code.js";
import {
  type DynamicScope,
  type Emitter,
  type Frame,
  keysOf,
  own,
  refuse,
  refuseIf,
  shown,
  type Unit,
} from "./frame.js";
import { functionCode, inCircles } from "./functions.js";
import { VOCABULARIES } from "./keywords.js";
import { Names } from "./names.js";
import { objectKeywords, property } from "./objects.js";
import { CORE, RUNTIME } from "./runtime.js";
import { numberKeywords, stringKeywords, typeKeyword, valueKeywords } from "./scalars.js";
import { Registry } from "./registry.js";
import { below, keywordsOf, nodeKey, type SchemaNode, SchemaProblem, type Source } from "./schema.js";
import { ALL_TYPES, declaredTypes, isType, toJsonTypes } from "./types.js";
import { needsNotes, unevaluatedKeywords } from "./unevaluated.js";
import { compositionKeywords, conditionalKeywords, unionKeywords } from "./unions.js";

export interface CompileOptions {
  sources: readonly Source[];
  /** Names for places (`URI#pointer`), so that functions are called after what the document calls its schemas. */
  names: ReadonlyMap<string, string>;
  /** The formats that are asserted, by name; all others are annotations. */
  formats: ReadonlyMap<string, RegExp>;
}

/** What cannot be compiled. */
export interface CompileProblem {
  uri: string;
  pointer: string;
  message: string;
}

/** One member of an object that is checked without a schema of its own: the parameters of an operation, say. */
export interface Member {
  name: string;
  required: boolean;
  /** Pointer of its schema; undefined where anything is allowed. */
  pointer: string | undefined;
  /** Whether others have the same schema, so that it gets a function of its own. */
  apart: boolean;
}

/** Keywords that decide whether a value is valid; a schema without any lets everything through. */
const ASSERTIONS: ReadonlySet<string> = new Set(
  [...VOCABULARIES.values()]
    .flat()
    .filter((keyword) => !/^(?:\$(?:schema|id|anchor|dynamicAnchor|defs)|definitions)$/.test(keyword)),
);

const NO_SCOPE: DynamicScope = { anchors: new Map(), key: "" };

/**
 * Compiles JSON Schemas of draft 2020-12, and OpenAPI's variants of it, to JavaScript.
 *
 * A schema becomes a function `(value, errors, path)`: it gives whether the value fits and, where `errors` is a list
 * and not null, adds to it why not. Only what the checks reach that were asked for is part of the output.
 */
export class Compiler implements Emitter {
  readonly problems: CompileProblem[] = [];
  /** What the functions do not check, although the schemas ask for it. */
  readonly unchecked: CompileProblem[] = [];
  private readonly registry: Registry;
  private readonly analysis: Analysis;
  private readonly names: Names;
  private readonly units = new Map<string, Unit>();
  private readonly parts = new Map<string, Unit>();
  private readonly constants = new Map<string, string>();
  private readonly helpers = new Set<string>();
  private readonly waiting: Unit[] = [];
  private readonly expected = new Map<string, string>();

  constructor(private readonly options: CompileOptions) {
    this.registry = new Registry(options.sources);
    this.analysis = new Analysis(this.registry);
    this.names = new Names(options.names);
  }

  /** What a value that misses a pattern should have been, where a compiled schema says it with `x-expected`. */
  get expectations(): Record<string, string> {
    return Object.fromEntries([...this.expected].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * Name of the function that checks a value against the schema at a place; undefined when everything fits it, or when
   * there is a problem.
   */
  check(uri: string, pointer: string): string | undefined {
    try {
      const node = this.registry.at(uri, pointer);
      if (!node) {
        this.problems.push({ uri, pointer, message: "there is no schema" });
        return undefined;
      }
      const scope = this.enter(NO_SCOPE, node);
      const [target, targetScope] = this.target(node, scope);
      if (this.isTrivial(target)) return undefined;
      const { name } = this.unitFor(target, targetScope, false);
      this.work();
      return name;
    } catch (error) {
      this.report(error);
      return undefined;
    }
  }

  /**
   * Name of the function that checks the members of an object, one by one; others are let through.
   *
   * @param place tells it from others; the same place has the same members
   */
  checkMembers(uri: string, place: string, members: readonly Member[]): string {
    const name = this.names.of(`${uri}#${place}`);
    if (this.parts.has(name)) return name;
    const source = { uri, document: {}, dialect: "openapi-3.0" } as const;
    const resource = { uri, source, root: {}, pointer: "", keywords: undefined };
    const unit = newUnit(name, { value: {}, pointer: place, resource }, NO_SCOPE, false);
    this.parts.set(name, unit);
    const frame: Frame = { ...this.frame(unit), types: new Set(["object"]) };
    unit.body.push(...refuseIf(`!${this.helper("isObject")}(value)`, frame, "type", { type: "object" }));
    for (const member of members) {
      if (member.required) {
        const params: JsonObject = { missingProperty: member.name };
        unit.body.push(...refuseIf(lacks("value", member.name), frame, "required", params));
      }
    }
    for (const member of members) {
      if (member.pointer === undefined) continue;
      try {
        const node = this.registry.at(uri, member.pointer);
        if (!node) throw new SchemaProblem({ pointer: member.pointer, resource }, "there is no schema");
        const schema = member.apart ? { ...node, value: referenceTo(node.pointer) } : node;
        unit.body.push(...property(member.name, schema, member.required, frame, this));
      } catch (error) {
        this.report(error);
      }
    }
    this.work();
    return name;
  }

  /** The code of everything that was asked for. Two compilers that were asked for the same give the same code. */
  code(): string {
    const units = [...this.units.values(), ...this.parts.values()];
    const looping = inCircles(units);
    const functions = units
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((unit) => functionCode(unit, looping.has(unit)));
    const constants = [...this.constants].sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      ...constants.map(([name, text]) => `const ${name} = ${text};`),
      CORE.trim(),
      ...[...RUNTIME].filter(([name]) => this.helpers.has(name)).map(([, { text }]) => text.trim()),
      ...functions,
    ].join("\n\n");
  }

  schema(node: SchemaNode, outer: Frame): Block {
    const { value } = node;
    if (value === true) return [];
    if (value === false) return refuse(outer, "false schema", "{}");
    if (!isObject(value)) throw new SchemaProblem(node, `a schema must be an object, not ${shown(value)}`);
    const frame = { ...outer, scope: this.enter(outer.scope, node) };
    const { values, orNull } = keywordsOf(node);
    // Notes are kept by function: such a schema is one of its own.
    if (frame.unit.node !== node && needsNotes(node, values, frame, this.analysis)) {
      return this.call(this.unit(node, frame, frame.seen !== undefined), frame);
    }
    const block = this.keywords(node, values, orNull, frame);
    if (!orNull || block.length === 0) return block;
    return [`if (${frame.value} !== null) {`, block, "}"];
  }

  private keywords(node: SchemaNode, values: JsonObject, orNull: boolean, outer: Frame): Block {
    const types = declaredTypes(node, values);
    const known = types && toJsonTypes(types);
    // The order is the one in which a value is judged: its type, what it is itself, its members, then all the rest.
    const frame = known ? { ...outer, types: intersect(outer.types, known) } : outer;
    this.noteExpected(values);
    return [
      ...typeKeyword(node, values, outer, orNull),
      ...valueKeywords(node, values, frame, orNull, this),
      ...this.references(node, values, frame),
      ...numberKeywords(node, values, frame, this),
      ...stringKeywords(node, values, frame, this.options.formats, this),
      ...arrayKeywords(node, values, frame, this),
      ...objectKeywords(node, values, frame, this),
      ...this.dependentSchemas(node, values, frame),
      ...compositionKeywords(node, values, frame, this),
      ...unionKeywords(node, values, frame, {
        emitter: this,
        analysis: this.analysis,
        registry: this.registry,
      }),
      ...conditionalKeywords(node, values, frame, this),
      ...unevaluatedKeywords(node, values, frame, this, this.analysis),
    ];
  }

  private references(node: SchemaNode, values: JsonObject, frame: Frame): Block {
    const block: Block = [];
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const reference = own(values, keyword);
      if (reference === undefined) continue;
      if (typeof reference !== "string") {
        throw new SchemaProblem(node, `${keyword} must be a string, not ${shown(reference)}`);
      }
      const target =
        keyword === "$ref"
          ? this.registry.follow(node, reference)
          : this.dynamicTarget(node, reference, frame.scope);
      if (target.value === false) block.push(...refuse(frame, "false schema", "{}"));
      else if (!this.isTrivial(target)) {
        block.push(...this.call(this.unit(target, frame, this.tracks(target, frame)), frame));
      }
    }
    return block;
  }

  /** A `$dynamicRef` whose anchor is a dynamic one leads to the outermost schema with that anchor on the way here. */
  private dynamicTarget(node: SchemaNode, reference: string, scope: DynamicScope): SchemaNode {
    const target = this.registry.follow(node, reference);
    const anchor = reference.slice(reference.indexOf("#") + 1);
    const isDynamic = isObject(target.value) && target.value.$dynamicAnchor === anchor;
    return (isDynamic ? scope.anchors.get(anchor) : undefined) ?? target;
  }

  private dependentSchemas(node: SchemaNode, values: JsonObject, frame: Frame): Block {
    if (!frame.types.has("object")) return [];
    const block = keysOf(node, values, "dependentSchemas").flatMap((name) => {
      const code = this.schema(below(node, "dependentSchemas", name), {
        ...frame,
        types: intersect(frame.types, OBJECT),
      });
      return when(has(frame.value, name), code);
    });
    if (block.length === 0 || frame.types.size === 1) return block;
    return [`if (${this.helper("isObject")}(${frame.value})) {`, block, "}"];
  }

  private call(unit: Unit, frame: Frame): Block {
    const path = frame.path.length === 0 ? "path" : `errors && ${pathExpression(frame.path)}`;
    const seen = unit.tracks && frame.seen !== undefined ? `, ${frame.seen}` : "";
    return [`if (!${unit.name}(${frame.value}, errors, ${path}${seen})) return false;`];
  }

  private tracks(node: SchemaNode, frame: Frame): boolean {
    return frame.seen !== undefined && !this.analysis.evaluatesNothing(node, frame.scope);
  }

  test(node: SchemaNode, frame: Frame): string {
    const { value } = node;
    if (typeof value === "boolean") return String(value);
    const tracks = this.tracks(node, frame);
    if (!tracks && isObject(value)) {
      const { values, orNull } = keywordsOf(node);
      const [only, ...others] = Object.keys(values).filter((key) => ASSERTIONS.has(key));
      const types = only === "type" && others.length === 0 ? declaredTypes(node, values) : undefined;
      if (types && !orNull) {
        const tests = types.map((type) => isType(type, frame.value));
        return tests.length === 1 ? tests.join("") : `(${tests.join(" || ")})`;
      }
      if (this.isTrivial(node)) return "true";
    }
    const { name } = this.unit(node, frame, tracks);
    return tracks
      ? `${this.helper("noting")}(${name}, ${frame.value}, ${frame.seen})`
      : `${name}(${frame.value}, null, null)`;
  }

  unit(node: SchemaNode, frame: Frame, tracks: boolean): Unit {
    const [target, scope] = this.target(node, this.enter(frame.scope, node));
    const unit = this.unitFor(target, scope, tracks);
    if (frame.depth === 0) frame.unit.inPlace.add(unit);
    return unit;
  }

  private unitFor(node: SchemaNode, scope: DynamicScope, tracks: boolean): Unit {
    const key = `${nodeKey(node)} ${tracks} ${scope.key}`;
    const known = this.units.get(key);
    if (known) return known;
    const name = [
      this.nameFor(node),
      ...(scope.key === "" ? [] : [hash(scope.key)]),
      ...(tracks ? ["noting"] : []),
    ].join("$");
    const unit = newUnit(name, node, scope, tracks);
    this.units.set(key, unit);
    this.waiting.push(unit);
    return unit;
  }

  /** Follows schemas that are nothing but a `$ref`. */
  private target(node: SchemaNode, scope: DynamicScope): [SchemaNode, DynamicScope] {
    const visited = new Set<string>();
    let current = node;
    let inner = scope;
    while (isObject(current.value) && !visited.has(nodeKey(current))) {
      visited.add(nodeKey(current));
      const { values, orNull } = keywordsOf(current);
      const says = Object.keys(values).filter((key) => ASSERTIONS.has(key));
      if (orNull || says.length !== 1 || typeof values.$ref !== "string") break;
      current = this.registry.follow(current, values.$ref);
      inner = this.enter(inner, current);
    }
    return [current, inner];
  }

  /** Makes the functions that were asked for meanwhile, with all that they ask for. */
  private work(): void {
    for (let unit = this.waiting.pop(); unit; unit = this.waiting.pop()) {
      try {
        this.fill(unit);
      } catch (error) {
        this.report(error);
      }
    }
  }

  private fill(unit: Unit): void {
    const frame = this.frame(unit);
    const { node } = unit;
    const { values } = keywordsOf(node);
    const notes = needsNotes(node, values, frame, this.analysis);
    if (notes) {
      unit.body.push("const seen = new Set();");
      unit.body.push(...this.schema(node, { ...frame, seen: "seen" }));
      if (unit.tracks) unit.body.push("for (const each of seen) outer.add(each);");
    } else {
      unit.body.push(...this.schema(node, { ...frame, seen: unit.tracks ? "outer" : undefined }));
    }
  }

  private frame(unit: Unit): Frame {
    const { scope } = unit;
    return { value: "value", path: [], depth: 0, types: ALL_TYPES, seen: undefined, scope, unit };
  }

  private enter(scope: DynamicScope, node: SchemaNode): DynamicScope {
    const anchors = this.registry.dynamicAnchors(node);
    const added = [...anchors].filter(([name]) => !scope.anchors.has(name));
    if (added.length === 0) return scope;
    const all = new Map([...scope.anchors, ...added]);
    const key = [...all].map(([name, target]) => `${name} ${nodeKey(target)}`).sort();
    return { anchors: all, key: key.join("\n") };
  }

  private isTrivial(node: SchemaNode): boolean {
    if (!isObject(node.value)) return node.value === true;
    return !Object.keys(keywordsOf(node).values).some((key) => ASSERTIONS.has(key));
  }

  private noteExpected(values: JsonObject): void {
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

  pattern(node: SchemaNode, source: string): string {
    const expression = patternOf(source);
    if (!expression) {
      throw new SchemaProblem(
        node,
        `the pattern ${JSON.stringify(source)} is no regular expression of ECMAScript`,
      );
    }
    return this.constant(`pattern$${hash(source)}`, regularExpression(expression));
  }

  /** Notes a pattern that is written for another language: it cannot be checked, the rest of the schema can. */
  isUnclear(node: SchemaNode, source: string): boolean {
    if (patternOf(source) || !isForeign(source)) return false;
    const message = `the pattern ${JSON.stringify(source)} is not checked: it is no regular expression of ECMAScript`;
    this.unchecked.push({ uri: node.resource.source.uri, pointer: node.pointer, message });
    return true;
  }

  nameFor(node: SchemaNode): string {
    return this.names.of(nodeKey(node));
  }

  private report(error: unknown): void {
    if (!(error instanceof SchemaProblem)) throw error;
    const { node, message } = error;
    this.problems.push({ uri: node.resource.source.uri, pointer: node.pointer, message });
  }
}

const OBJECT: ReadonlySet<"object"> = new Set(["object"] as const);

function newUnit(name: string, node: SchemaNode, scope: DynamicScope, tracks: boolean): Unit {
  return { name, node, scope, tracks, inPlace: new Set(), locals: 0, body: [] };
}

function intersect<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): ReadonlySet<T> {
  return new Set([...one].filter((each) => other.has(each)));
}

/** A schema that stands for the one at a place of the document. */
function referenceTo(pointer: string): JsonObject {
  return { $ref: `#${encodeURI(pointer)}` };
}
