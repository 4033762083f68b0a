import { jsonExpression, stringLiteral } from "../../../code/encode.js";
import { isObject } from "../../../model/json.js";
import type { JsonObject } from "../../../model/model.js";
import { type Block, has, lacks, member, when } from "./code.js";
import {
  countKeyword,
  type CodeGenerator,
  type CodegenContext,
  childContext,
  namedSchemas,
  nameList,
  whenType,
  keywordValue,
  reject,
  rejectIf,
  preview,
} from "./context.js";
import type { Schema } from "../../../model/schema/schema.js";
import { SchemaProblem } from "./problem.js";

/** Longer lists of names become sets. */
const MAX_INLINE_NAMES = 8;

/** Generates the keywords of objects, except `dependentSchemas` and `unevaluatedProperties`. */
export function objectKeywords(
  node: Schema,
  values: JsonObject,
  context: CodegenContext,
  generator: CodeGenerator,
): Block {
  return whenType(context, "object", `${generator.helper("isObject")}(${context.value})`, (object) => [
    ...requiredKeywords(node, values, object),
    ...countKeywords(node, values, object),
    ...propertyNames(node, object, generator),
    ...additionalProperties(node, object, generator),
    ...properties(node, values, object, generator),
    ...patternProperties(node, object, generator),
    ...markEvaluated(node, values, object),
  ]);
}

/** `required`, `dependentRequired` */
function requiredKeywords(node: Schema, values: JsonObject, object: CodegenContext): Block {
  const block: Block = [];
  const missing = (name: string, keyword: string, params: JsonObject): Block =>
    rejectIf(lacks(object.value, name), object, keyword, params);
  for (const name of nameList(node, "required", keywordValue(values, "required"))) {
    block.push(...missing(name, "required", { missingProperty: name }));
  }
  const dependent = keywordValue(values, "dependentRequired") ?? {};
  if (!isObject(dependent)) {
    throw new SchemaProblem(
      node,
      `dependentRequired must be an object, not ${preview(dependent)}`,
      "dependentRequired",
    );
  }
  for (const [property, list] of Object.entries(dependent)) {
    const names = nameList(node, "dependentRequired", list);
    const needed = names.flatMap((name) =>
      missing(name, "dependentRequired", { property, missingProperty: name }),
    );
    block.push(...when(has(object.value, property), needed));
  }
  return block;
}

/** `minProperties`, `maxProperties` */
function countKeywords(node: Schema, values: JsonObject, object: CodegenContext): Block {
  const block: Block = [];
  const count = `Object.keys(${object.value}).length`;
  const most = countKeyword(node, values, "maxProperties");
  if (most !== undefined)
    block.push(...rejectIf(`${count} > ${most}`, object, "maxProperties", { limit: most }));
  const least = countKeyword(node, values, "minProperties");
  if (least !== undefined && least > 0) {
    block.push(...rejectIf(`${count} < ${least}`, object, "minProperties", { limit: least }));
  }
  return block;
}

function propertyNames(node: Schema, object: CodegenContext, generator: CodeGenerator): Block {
  const schema = node.subschema("propertyNames");
  if (!schema) return [];
  const key = `key${object.depth + 1}`;
  const name = { ...object, value: key, depth: object.depth + 1, evaluated: undefined, types: STRING };
  const test = generator.test(schema, name);
  if (test === "true") return [];
  return eachKey(object, [
    `if (!(${test})) {`,
    reject(object, "propertyNames", `{ propertyName: ${key} }`),
    "}",
  ]);
}

const STRING = new Set(["string"] as const);

function eachKey(object: CodegenContext, code: Block): Block {
  return code.length === 0 ? [] : [`for (const key${object.depth + 1} in ${object.value}) {`, code, "}"];
}

function additionalProperties(node: Schema, object: CodegenContext, generator: CodeGenerator): Block {
  const schema = node.subschema("additionalProperties");
  if (!schema) return [];
  const names = [...namedSchemas(node, "properties").keys()];
  const patterns = [...namedSchemas(node, "patternProperties").keys()];
  return otherProperties(schema, "additionalProperties", names, patterns, object, generator, node);
}

/**
 * Checks the properties that are not named against a schema.
 *
 * @param keyword `additionalProperties` or `unevaluatedProperties`
 * @param owner the schema that has the keyword
 */
export function otherProperties(
  schema: Schema,
  keyword: "additionalProperties" | "unevaluatedProperties",
  names: readonly string[],
  patterns: readonly string[],
  object: CodegenContext,
  generator: CodeGenerator,
  owner: Schema,
): Block {
  const key = `key${object.depth + 1}`;
  // Errors list the known names, for suggestions, where all errors are reported.
  const listsNames = object.unit.reportsAll && schema.boolean === false && names.length > 0;
  const known = listsNames ? namesConstant(owner, keyword, names, generator) : undefined;
  const code = otherProperty(schema, keyword, object, generator, known);
  if (code.length === 0) return [];
  const set =
    known ?? (names.length > MAX_INLINE_NAMES ? namesConstant(owner, keyword, names, generator) : undefined);
  const conditions =
    set === undefined ? names.map((name) => `${key} !== ${stringLiteral(name)}`) : [`!${set}.has(${key})`];
  conditions.push(
    ...patterns.map((pattern) => `!${generator.pattern(owner, pattern, "patternProperties")}.test(${key})`),
  );
  return eachKey(object, conditions.length === 0 ? code : when(conditions.join(" && "), code));
}

/** Name of a constant with the set of names that a schema declares. */
export function namesConstant(
  owner: Schema,
  keyword: "additionalProperties" | "unevaluatedProperties",
  names: readonly string[],
  generator: CodeGenerator,
): string {
  const list = names.map((name) => `  ${stringLiteral(name)},`);
  return generator.constant(
    `${generator.nameFor(owner)}$${keyword === "additionalProperties" ? "names" : "evaluated"}`,
    ["new Set([", ...list, "])"].join("\n"),
  );
}

/**
 * Checks a property that no other keyword describes. The loop variable has its name.
 *
 * @param known constant with the set of the other names, for the error
 */
export function otherProperty(
  schema: Schema,
  keyword: "additionalProperties" | "unevaluatedProperties",
  object: CodegenContext,
  generator: CodeGenerator,
  known?: string,
): Block {
  const key = `key${object.depth + 1}`;
  const others = known === undefined ? "" : `, known: [...${known}]`;
  const param = keyword === "additionalProperties" ? "additionalProperty" : "unevaluatedProperty";
  if (schema.boolean === false) return reject(object, keyword, `{ ${param}: ${key}${others} }`);
  const property = childContext(object, { expression: `${generator.helper("pointerStep")}(${key})` });
  const code = generator.schema(schema, property);
  return code.length === 0 ? [] : [`${property.value} = ${object.value}[${key}];`, ...code];
}

function properties(
  node: Schema,
  values: JsonObject,
  object: CodegenContext,
  generator: CodeGenerator,
): Block {
  const required = nameList(node, "required", keywordValue(values, "required"));
  return [...namedSchemas(node, "properties")].flatMap(([name, schema]) =>
    property(
      name,
      schema,
      // A function that reports all errors continues after a missing required property.
      required.includes(name) && !object.unit.reportsAll,
      object,
      generator,
    ),
  );
}

/**
 * Checks one property against its schema, if it is present.
 *
 * @param check generates the code for its value
 */
export function property(
  name: string,
  schema: Schema,
  isThere: boolean,
  object: CodegenContext,
  generator: CodeGenerator,
  check: (schema: Schema, context: CodegenContext) => Block = (each, context) =>
    generator.schema(each, context),
): Block {
  if (schema.boolean === false) {
    return isThere
      ? reject(object, "false schema", "{}", [...object.path, name])
      : [
          `if (${has(object.value, name)}) {`,
          reject(object, "false schema", "{}", [...object.path, name]),
          "}",
        ];
  }
  const value = childContext(object, name);
  const code = check(schema, value);
  if (code.length === 0) return [];
  const read = `${value.value} = ${member(object.value, name)};`;
  if (isThere) return [read, ...code];
  const test = has(object.value, name);
  return test.startsWith("Object.hasOwn(")
    ? when(test, [read, ...code])
    : [read, ...when(`${value.value} !== undefined`, code)];
}

function patternProperties(node: Schema, object: CodegenContext, generator: CodeGenerator): Block {
  const key = `key${object.depth + 1}`;
  return [...namedSchemas(node, "patternProperties")].flatMap(([pattern, schema]) => {
    const test = `${generator.pattern(node, pattern, "patternProperties")}.test(${key})`;
    const value = childContext(object, { expression: `${generator.helper("pointerStep")}(${key})` });
    const code = generator.schema(schema, value);
    const block = code.length === 0 ? [] : [`${value.value} = ${object.value}[${key}];`, ...code];
    if (object.evaluated !== undefined) block.push(`${object.evaluated}.add(${key});`);
    return eachKey(object, when(test, block));
  });
}

/** Marks the checked properties as evaluated. `patternProperties` marks its own. */
function markEvaluated(node: Schema, values: JsonObject, object: CodegenContext): Block {
  if (object.evaluated === undefined) return [];
  if (keywordValue(values, "additionalProperties") !== undefined) return markAllEvaluated(object);
  return [...namedSchemas(node, "properties").keys()].map(
    (name) => `${object.evaluated}.add(${jsonExpression(name)});`,
  );
}

/** Marks every property of an object as evaluated. */
export function markAllEvaluated(object: CodegenContext): Block {
  return object.evaluated === undefined
    ? []
    : [`for (const key in ${object.value}) ${object.evaluated}.add(key);`];
}
