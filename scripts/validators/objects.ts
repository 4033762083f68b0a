import { jsonExpression, stringLiteral } from "../code/encode.js";
import type { JsonObject } from "../model/model.js";
import { type Block, has, lacks, member, when } from "./code.js";
import {
  countOf,
  type Emitter,
  type Frame,
  inside,
  keysOf,
  namesOf,
  ofType,
  own,
  refuse,
  refuseIf,
} from "./frame.js";
import { below, type SchemaNode } from "./schema.js";

/** Longer lists of names are looked up in a set. */
const LISTED = 8;

/** The keywords that speak of objects, but for `dependentSchemas` and `unevaluatedProperties`. */
export function objectKeywords(node: SchemaNode, values: JsonObject, frame: Frame, emitter: Emitter): Block {
  return ofType(frame, "object", `${emitter.helper("isObject")}(${frame.value})`, (object) => [
    ...requiredKeywords(node, values, object),
    ...countKeywords(node, values, object),
    ...propertyNames(node, values, object, emitter),
    ...additionalProperties(node, values, object, emitter),
    ...properties(node, values, object, emitter),
    ...patternProperties(node, values, object, emitter),
    ...noteEvaluated(node, values, object),
  ]);
}

/** `required`, `dependentRequired` */
function requiredKeywords(node: SchemaNode, values: JsonObject, object: Frame): Block {
  const block: Block = [];
  const missing = (name: string, keyword: string, params: JsonObject): Block =>
    refuseIf(lacks(object.value, name), object, keyword, params);
  for (const name of namesOf(node, "required", own(values, "required"))) {
    block.push(...missing(name, "required", { missingProperty: name }));
  }
  for (const property of keysOf(node, values, "dependentRequired")) {
    const names = namesOf(node, "dependentRequired", below(node, "dependentRequired", property).value);
    const needed = names.flatMap((name) =>
      missing(name, "dependentRequired", { property, missingProperty: name }),
    );
    block.push(...when(has(object.value, property), needed));
  }
  return block;
}

/** `minProperties`, `maxProperties` */
function countKeywords(node: SchemaNode, values: JsonObject, object: Frame): Block {
  const block: Block = [];
  const count = `Object.keys(${object.value}).length`;
  const most = countOf(node, values, "maxProperties");
  if (most !== undefined)
    block.push(...refuseIf(`${count} > ${most}`, object, "maxProperties", { limit: most }));
  const least = countOf(node, values, "minProperties");
  if (least !== undefined && least > 0) {
    block.push(...refuseIf(`${count} < ${least}`, object, "minProperties", { limit: least }));
  }
  return block;
}

function propertyNames(node: SchemaNode, values: JsonObject, object: Frame, emitter: Emitter): Block {
  if (own(values, "propertyNames") === undefined) return [];
  const key = `key${object.depth + 1}`;
  const name = { ...object, value: key, depth: object.depth + 1, seen: undefined, types: STRING };
  const test = emitter.test(below(node, "propertyNames"), name);
  if (test === "true") return [];
  return eachKey(object, [
    `if (!(${test})) {`,
    refuse(object, "propertyNames", `{ propertyName: ${key} }`),
    "}",
  ]);
}

const STRING = new Set(["string"] as const);

function eachKey(object: Frame, code: Block): Block {
  return code.length === 0 ? [] : [`for (const key${object.depth + 1} in ${object.value}) {`, code, "}"];
}

/** Names and patterns that `properties` and `patternProperties` speak of. */
function named(node: SchemaNode, values: JsonObject): { names: string[]; patterns: string[] } {
  return { names: keysOf(node, values, "properties"), patterns: keysOf(node, values, "patternProperties") };
}

function additionalProperties(node: SchemaNode, values: JsonObject, object: Frame, emitter: Emitter): Block {
  if (own(values, "additionalProperties") === undefined) return [];
  const { names, patterns } = named(node, values);
  return otherProperties(
    below(node, "additionalProperties"),
    "additionalProperties",
    names,
    patterns,
    object,
    emitter,
    node,
  );
}

/**
 * Holds the properties that are not named against a schema.
 *
 * @param keyword `additionalProperties` or `unevaluatedProperties`
 * @param owner the schema that has the keyword
 */
export function otherProperties(
  schema: SchemaNode,
  keyword: "additionalProperties" | "unevaluatedProperties",
  names: readonly string[],
  patterns: readonly string[],
  object: Frame,
  emitter: Emitter,
  owner: SchemaNode,
): Block {
  const key = `key${object.depth + 1}`;
  const code = otherProperty(schema, keyword, object, emitter);
  if (code.length === 0) return [];
  const conditions: string[] = [];
  if (names.length > LISTED) {
    const list = names.map((name) => `  ${stringLiteral(name)},`);
    const set = emitter.constant(
      `${emitter.nameFor(owner)}$${keyword === "additionalProperties" ? "names" : "evaluated"}`,
      ["new Set([", ...list, "])"].join("\n"),
    );
    conditions.push(`!${set}.has(${key})`);
  } else conditions.push(...names.map((name) => `${key} !== ${stringLiteral(name)}`));
  conditions.push(...patterns.map((pattern) => `!${emitter.pattern(owner, pattern)}.test(${key})`));
  return eachKey(object, conditions.length === 0 ? code : when(conditions.join(" && "), code));
}

/** What becomes of a property that no other keyword speaks of; its name is in the variable of the loop. */
export function otherProperty(
  schema: SchemaNode,
  keyword: "additionalProperties" | "unevaluatedProperties",
  object: Frame,
  emitter: Emitter,
): Block {
  const key = `key${object.depth + 1}`;
  const param = keyword === "additionalProperties" ? "additionalProperty" : "unevaluatedProperty";
  if (schema.value === false) return refuse(object, keyword, `{ ${param}: ${key} }`);
  const property = inside(object, { expression: `${emitter.helper("pointerStep")}(${key})` });
  const code = emitter.schema(schema, property);
  return code.length === 0 ? [] : [`${property.value} = ${object.value}[${key}];`, ...code];
}

function properties(node: SchemaNode, values: JsonObject, object: Frame, emitter: Emitter): Block {
  const required = namesOf(node, "required", own(values, "required"));
  return keysOf(node, values, "properties").flatMap((name) =>
    property(name, below(node, "properties", name), required.includes(name), object, emitter),
  );
}

/** Holds one property against its schema, if it is there. */
export function property(
  name: string,
  schema: SchemaNode,
  isThere: boolean,
  object: Frame,
  emitter: Emitter,
): Block {
  if (schema.value === false) {
    return isThere
      ? refuse(object, "false schema", "{}", [...object.path, name])
      : [
          `if (${has(object.value, name)}) {`,
          refuse(object, "false schema", "{}", [...object.path, name]),
          "}",
        ];
  }
  const value = inside(object, name);
  const code = emitter.schema(schema, value);
  if (code.length === 0) return [];
  const read = `${value.value} = ${member(object.value, name)};`;
  if (isThere) return [read, ...code];
  const test = has(object.value, name);
  return test.startsWith("Object.hasOwn(")
    ? when(test, [read, ...code])
    : [read, ...when(`${value.value} !== undefined`, code)];
}

function patternProperties(node: SchemaNode, values: JsonObject, object: Frame, emitter: Emitter): Block {
  const key = `key${object.depth + 1}`;
  return keysOf(node, values, "patternProperties").flatMap((pattern) => {
    const schema = below(node, "patternProperties", pattern);
    const test = `${emitter.pattern(node, pattern)}.test(${key})`;
    const value = inside(object, { expression: `${emitter.helper("pointerStep")}(${key})` });
    const code = schema.value === false ? refuse(value, "false schema", "{}") : emitter.schema(schema, value);
    const block = code.length === 0 ? [] : [`${value.value} = ${object.value}[${key}];`, ...code];
    if (object.seen !== undefined) block.push(`${object.seen}.add(${key});`);
    return eachKey(object, when(test, block));
  });
}

/** Notes which properties were evaluated, where that must be known; `patternProperties` has noted its own. */
function noteEvaluated(node: SchemaNode, values: JsonObject, object: Frame): Block {
  if (object.seen === undefined) return [];
  if (own(values, "additionalProperties") !== undefined) return noteAll(object);
  return keysOf(node, values, "properties").map((name) => `${object.seen}.add(${jsonExpression(name)});`);
}

/** Notes every property of an object as evaluated. */
export function noteAll(object: Frame): Block {
  return object.seen === undefined ? [] : [`for (const key in ${object.value}) ${object.seen}.add(key);`];
}
