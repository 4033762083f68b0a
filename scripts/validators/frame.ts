import { jsonExpression } from "../code/encode.js";
import type { JsonObject, JsonValue } from "../model/model.js";
import { type Block, type Path, pathExpression } from "./code.js";
import { type SchemaNode, SchemaProblem } from "./schema.js";
import { ALL_TYPES, type JsonType } from "./types.js";

/** The schemas that a `$dynamicRef` leads to here, by the name of the anchor: the outermost of those passed so far. */
export interface DynamicScope {
  readonly anchors: ReadonlyMap<string, SchemaNode>;
  /** Tells two scopes apart. */
  readonly key: string;
}

/** Where code for a schema goes: what it checks, and what is known there. */
export interface Frame {
  /** Variable that holds the value. */
  readonly value: string;
  /** Place of the value below the one that the function was called with. */
  readonly path: Path;
  /** How many values lie between it and the one that the function was called with. */
  readonly depth: number;
  /** Types that the value can have, as far as it has been checked. */
  readonly types: ReadonlySet<JsonType>;
  /** Variable with the set of property names and item numbers that were evaluated, where they must be known. */
  readonly seen: string | undefined;
  readonly scope: DynamicScope;
  /** The function that the code is part of. */
  readonly unit: Unit;
}

/** A function of the output. */
export interface Unit {
  readonly name: string;
  readonly node: SchemaNode;
  readonly scope: DynamicScope;
  /** Whether it adds to a set of the caller what it evaluates. */
  readonly tracks: boolean;
  /** Functions that it calls for the very value that it checks. */
  readonly inPlace: Set<Unit>;
  /** How many variables for values inside its value it needs. */
  locals: number;
  body: Block;
}

/** What the code of the keywords is made with; `compile.ts` implements it. */
export interface Emitter {
  /** Code that leaves the function with false unless the value of the frame fits the schema. */
  schema(node: SchemaNode, frame: Frame): Block;
  /** An expression that is true when the value fits; it reports nothing, and tracks what the frame tracks. */
  test(node: SchemaNode, frame: Frame): string;
  /** The function for a schema that is applied to the value of the frame. */
  unit(node: SchemaNode, frame: Frame, tracks: boolean): Unit;
  /** Name of a function of the runtime, which is then part of the output. */
  helper(name: string): string;
  /** Name of a constant of the output; the same name has the same text. */
  constant(name: string, text: string): string;
  /** Name of a constant that holds a regular expression. */
  pattern(node: SchemaNode, source: string): string;
  /** Whether a pattern is in no language that is certain; it is noted as not checked. */
  isUnclear(node: SchemaNode, source: string): boolean;
  /** Name for what belongs to a schema, from its place in the document. */
  nameFor(node: SchemaNode): string;
}

/** `return false`, and the reason where reasons are asked for. */
export function refuse(frame: Frame, keyword: string, params: string, path: Path = frame.path): Block {
  return [`return errors !== null && fail(errors, ${pathExpression(path)}, "${keyword}", ${params});`];
}

/** Refuses the value when the condition holds. */
export function refuseIf(
  condition: string,
  frame: Frame,
  keyword: string,
  params: JsonObject | string,
): Block {
  const text = typeof params === "string" ? params : jsonExpression(params);
  return [`if (${condition}) {`, refuse(frame, keyword, text), "}"];
}

/** A frame for a value inside the one of this frame; it is held by a variable of the function. */
export function inside(frame: Frame, step: Path[number]): Frame {
  const depth = frame.depth + 1;
  frame.unit.locals = Math.max(frame.unit.locals, depth);
  return {
    ...frame,
    value: `value${depth}`,
    path: [...frame.path, step],
    depth,
    types: ALL_TYPES,
    seen: undefined,
  };
}

/** Code for values of one type: behind a condition, unless the value is known to be of that type. */
export function ofType(
  frame: Frame,
  type: JsonType,
  condition: string,
  code: (frame: Frame) => Block,
): Block {
  if (!frame.types.has(type)) return [];
  if (frame.types.size === 1) return code(frame);
  const block = code({ ...frame, types: new Set([type]) });
  return block.length === 0 ? [] : [`if (${condition}) {`, block, "}"];
}

/** The number that a keyword holds; undefined without it. */
export function numberOf(node: SchemaNode, values: JsonObject, keyword: string): number | undefined {
  const value = own(values, keyword);
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new SchemaProblem(node, `${keyword} must be a number, not ${shown(value)}`);
}

/** The whole number, 0 or more, that a keyword holds; undefined without it. */
export function countOf(node: SchemaNode, values: JsonObject, keyword: string): number | undefined {
  const value = numberOf(node, values, keyword);
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return value;
  throw new SchemaProblem(node, `${keyword} must be a whole number, not ${shown(value)}`);
}

/** The names that a keyword lists. */
export function namesOf(node: SchemaNode, keyword: string, value: JsonValue | undefined): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return [...new Set(value)];
  throw new SchemaProblem(node, `${keyword} must be a list of names, not ${shown(value)}`);
}

/** Names of the members of a keyword that holds an object. */
export function keysOf(node: SchemaNode, values: JsonObject, keyword: string): string[] {
  const value = own(values, keyword);
  if (value === undefined) return [];
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.keys(value);
  throw new SchemaProblem(node, `${keyword} must be an object, not ${shown(value)}`);
}

/** How many schemas a keyword lists; 0 without it. */
export function lengthOf(node: SchemaNode, values: JsonObject, keyword: string): number {
  const value = own(values, keyword);
  if (value === undefined) return 0;
  if (Array.isArray(value) && value.length > 0) return value.length;
  throw new SchemaProblem(node, `${keyword} must be a list of schemas, not ${shown(value)}`);
}

/** The value of a keyword; undefined where the schema has none of its own. */
export function own(values: JsonObject, keyword: string): JsonValue | undefined {
  return Object.hasOwn(values, keyword) ? values[keyword] : undefined;
}

/** A value as messages have it, cut where it is long. */
export function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
