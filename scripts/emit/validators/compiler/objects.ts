import { jsonExpression, stringLiteral } from "../../../code/encode.js";
import { isObject } from "../../../model/json.js";
import type { JsonObject } from "../../../model/model.js";
import { type Block, printHasMember, printLacksMember, printMember, wrapInIf } from "./code.js";
import {
  readCount,
  type CodeGenerator,
  type CodegenContext,
  childContext,
  readSubschemaMap,
  readNames,
  whenType,
  readKeyword,
  reject,
  rejectIf,
  preview,
} from "./context.js";
import type { Schema } from "../../../model/schema/schema.js";
import { SchemaProblem } from "./problem.js";

/** Maximum number of names that are compared one by one; more names are compared by a Set. */
const MAX_INLINE_NAMES = 8;

/** Generates the keywords of objects, except `dependentSchemas` and `unevaluatedProperties`. */
export function generateObjectKeywords(
  schema: Schema,
  keywords: JsonObject,
  context: CodegenContext,
  generator: CodeGenerator,
): Block {
  return whenType(context, "object", `${generator.useHelper("isObject")}(${context.value})`, (object) => [
    ...generateRequired(schema, keywords, object),
    ...generatePropertyCount(schema, keywords, object),
    ...generatePropertyNames(schema, object, generator),
    ...generateAdditionalProperties(schema, object, generator),
    ...generateProperties(schema, keywords, object, generator),
    ...generatePatternProperties(schema, object, generator),
    ...generateMarkEvaluated(schema, keywords, object),
  ]);
}

/** Generates `required` and `dependentRequired`. */
function generateRequired(schema: Schema, keywords: JsonObject, object: CodegenContext): Block {
  const block: Block = [];
  const missing = (name: string, keyword: string, params: JsonObject): Block =>
    rejectIf(printLacksMember(object.value, name), object, keyword, params);
  for (const name of readNames(schema, "required", readKeyword(keywords, "required"))) {
    block.push(...missing(name, "required", { missingProperty: name }));
  }
  const dependent = readKeyword(keywords, "dependentRequired") ?? {};
  if (!isObject(dependent)) {
    throw new SchemaProblem(
      schema,
      `dependentRequired must be an object, not ${preview(dependent)}`,
      "dependentRequired",
    );
  }
  for (const [property, list] of Object.entries(dependent)) {
    const names = readNames(schema, "dependentRequired", list);
    const needed = names.flatMap((name) =>
      missing(name, "dependentRequired", { property, missingProperty: name }),
    );
    block.push(...wrapInIf(printHasMember(object.value, property), needed));
  }
  return block;
}

/** Generates `minProperties` and `maxProperties`. */
function generatePropertyCount(schema: Schema, keywords: JsonObject, object: CodegenContext): Block {
  const block: Block = [];
  const count = `Object.keys(${object.value}).length`;
  const most = readCount(schema, keywords, "maxProperties");
  if (most !== undefined)
    block.push(...rejectIf(`${count} > ${most}`, object, "maxProperties", { limit: most }));
  const least = readCount(schema, keywords, "minProperties");
  if (least !== undefined && least > 0) {
    block.push(...rejectIf(`${count} < ${least}`, object, "minProperties", { limit: least }));
  }
  return block;
}

function generatePropertyNames(schema: Schema, object: CodegenContext, generator: CodeGenerator): Block {
  const nameSchema = schema.subschema("propertyNames");
  if (!nameSchema) return [];
  const key = `key${object.depth + 1}`;
  const name = { ...object, value: key, depth: object.depth + 1, evaluated: undefined, types: STRING_ONLY };
  const test = generator.generateTest(nameSchema, name);
  if (test === "true") return [];
  return generateKeyLoop(object, [
    `if (!(${test})) {`,
    reject(object, "propertyNames", `{ propertyName: ${key} }`),
    "}",
  ]);
}

const STRING_ONLY = new Set(["string"] as const);

function generateKeyLoop(object: CodegenContext, code: Block): Block {
  return code.length === 0 ? [] : [`for (const key${object.depth + 1} in ${object.value}) {`, code, "}"];
}

function generateAdditionalProperties(
  schema: Schema,
  object: CodegenContext,
  generator: CodeGenerator,
): Block {
  const subschema = schema.subschema("additionalProperties");
  if (!subschema) return [];
  const names = [...readSubschemaMap(schema, "properties").keys()];
  const patterns = [...readSubschemaMap(schema, "patternProperties").keys()];
  return generateOtherProperties(
    subschema,
    "additionalProperties",
    names,
    patterns,
    object,
    generator,
    schema,
  );
}

/**
 * Generates the check of additional or unevaluated properties against a schema.
 *
 * @param keyword `additionalProperties` or `unevaluatedProperties`
 * @param owner the schema that has the keyword
 */
export function generateOtherProperties(
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
  const knownNames = listsNames ? addNamesConstant(owner, keyword, names, generator) : undefined;
  const code = generateOtherProperty(schema, keyword, object, generator, knownNames);
  if (code.length === 0) return [];
  const set =
    knownNames ??
    (names.length > MAX_INLINE_NAMES ? addNamesConstant(owner, keyword, names, generator) : undefined);
  const conditions =
    set === undefined ? names.map((name) => `${key} !== ${stringLiteral(name)}`) : [`!${set}.has(${key})`];
  conditions.push(
    ...patterns.map(
      (pattern) => `!${generator.addPattern(owner, pattern, "patternProperties")}.test(${key})`,
    ),
  );
  return generateKeyLoop(object, conditions.length === 0 ? code : wrapInIf(conditions.join(" && "), code));
}

/** Adds a constant with the set of names that a schema declares, and returns its name. */
export function addNamesConstant(
  owner: Schema,
  keyword: "additionalProperties" | "unevaluatedProperties",
  names: readonly string[],
  generator: CodeGenerator,
): string {
  const list = names.map((name) => `  ${stringLiteral(name)},`);
  return generator.addConstant(
    `${generator.chooseName(owner)}$${keyword === "additionalProperties" ? "names" : "evaluated"}`,
    ["new Set([", ...list, "])"].join("\n"),
  );
}

/**
 * Generates the check of one additional or unevaluated property. The loop variable contains its name.
 *
 * @param knownNames constant with the set of the declared names, which the error contains for suggestions
 */
export function generateOtherProperty(
  schema: Schema,
  keyword: "additionalProperties" | "unevaluatedProperties",
  object: CodegenContext,
  generator: CodeGenerator,
  knownNames?: string,
): Block {
  const key = `key${object.depth + 1}`;
  const others = knownNames === undefined ? "" : `, known: [...${knownNames}]`;
  const param = keyword === "additionalProperties" ? "additionalProperty" : "unevaluatedProperty";
  if (schema.boolean === false) return reject(object, keyword, `{ ${param}: ${key}${others} }`);
  const property = childContext(object, { expression: `${generator.useHelper("pointerStep")}(${key})` });
  const code = generator.generateChecks(schema, property);
  return code.length === 0 ? [] : [`${property.value} = ${object.value}[${key}];`, ...code];
}

function generateProperties(
  schema: Schema,
  keywords: JsonObject,
  object: CodegenContext,
  generator: CodeGenerator,
): Block {
  const required = readNames(schema, "required", readKeyword(keywords, "required"));
  return [...readSubschemaMap(schema, "properties")].flatMap(([name, propertySchema]) =>
    generateProperty(
      name,
      propertySchema,
      // A function that reports all errors continues after a missing required property.
      required.includes(name) && !object.unit.reportsAll,
      object,
      generator,
    ),
  );
}

/**
 * Generates the check of one property, if it is present.
 *
 * @param check generates the code for its value
 */
export function generateProperty(
  name: string,
  schema: Schema,
  isPresent: boolean,
  object: CodegenContext,
  generator: CodeGenerator,
  check: (schema: Schema, context: CodegenContext) => Block = (each, context) =>
    generator.generateChecks(each, context),
): Block {
  if (schema.boolean === false) {
    return isPresent
      ? reject(object, "false schema", "{}", [...object.path, name])
      : [
          `if (${printHasMember(object.value, name)}) {`,
          reject(object, "false schema", "{}", [...object.path, name]),
          "}",
        ];
  }
  const value = childContext(object, name);
  const code = check(schema, value);
  if (code.length === 0) return [];
  const read = `${value.value} = ${printMember(object.value, name)};`;
  if (isPresent) return [read, ...code];
  const test = printHasMember(object.value, name);
  return test.startsWith("Object.hasOwn(")
    ? wrapInIf(test, [read, ...code])
    : [read, ...wrapInIf(`${value.value} !== undefined`, code)];
}

function generatePatternProperties(schema: Schema, object: CodegenContext, generator: CodeGenerator): Block {
  const key = `key${object.depth + 1}`;
  return [...readSubschemaMap(schema, "patternProperties")].flatMap(([pattern, propertySchema]) => {
    const test = `${generator.addPattern(schema, pattern, "patternProperties")}.test(${key})`;
    const value = childContext(object, { expression: `${generator.useHelper("pointerStep")}(${key})` });
    const code = generator.generateChecks(propertySchema, value);
    const block = code.length === 0 ? [] : [`${value.value} = ${object.value}[${key}];`, ...code];
    if (object.evaluated !== undefined) block.push(`${object.evaluated}.add(${key});`);
    return generateKeyLoop(object, wrapInIf(test, block));
  });
}

/** Generates code that marks the properties of `properties` and `additionalProperties` as evaluated. */
function generateMarkEvaluated(schema: Schema, keywords: JsonObject, object: CodegenContext): Block {
  if (object.evaluated === undefined) return [];
  if (readKeyword(keywords, "additionalProperties") !== undefined) return generateMarkAllEvaluated(object);
  return [...readSubschemaMap(schema, "properties").keys()].map(
    (name) => `${object.evaluated}.add(${jsonExpression(name)});`,
  );
}

/** Generates code that marks every property of an object as evaluated. */
export function generateMarkAllEvaluated(object: CodegenContext): Block {
  return object.evaluated === undefined
    ? []
    : [`for (const key in ${object.value}) ${object.evaluated}.add(key);`];
}
