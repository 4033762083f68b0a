import { printStringLiteral } from "../../../code/encode.js";
import { isObject } from "../../../model/json.js";
import type { JsonObject } from "../../../model/model.js";
import type { Schema } from "../../../model/schema/schema.js";
import { type Block, wrapInIf } from "./block.js";
import { printHasMember, printLacksMember, printMember } from "./print-member.js";
import {
  type CodegenContext,
  createChildContext,
  generateCountLimits,
  reject,
  rejectIf,
  whenType,
} from "./context.js";
import { addPattern } from "./pattern.js";
import { createValueProblem } from "./problem.js";
import { readNames, readSubschemaMap } from "./read-keywords.js";

/** Maximum number of names that are compared one by one; more names are compared by a Set. */
const MAX_INLINE_NAMES = 8;

/** Keywords for the properties to which no other keyword applies. */
type RemainderKeyword = "additionalProperties" | "unevaluatedProperties";

/** Generates the keywords of objects, except `dependentSchemas` and `unevaluatedProperties`. */
export function generateObjectKeywords(schema: Schema, context: CodegenContext): Block {
  return whenType(context, "object", (object) => [
    ...generateRequired(schema, object),
    ...generateCountLimits(schema, "Properties", `Object.keys(${object.value}).length`, object),
    ...generatePropertyNames(schema, object),
    ...generateAdditionalProperties(schema, object),
    ...generateProperties(schema, object),
    ...generatePatternProperties(schema, object),
    ...generateMarkEvaluated(schema, object),
  ]);
}

/** Generates `required` and `dependentRequired`. */
function generateRequired(schema: Schema, object: CodegenContext): Block {
  const rejectMissing = (name: string, keyword: string, params: JsonObject): Block =>
    rejectIf(printLacksMember(object.value, name), object, keyword, { ...params, missingProperty: name });
  const block = readNames(schema, "required").flatMap((name) => rejectMissing(name, "required", {}));
  const keyword = "dependentRequired";
  const dependent = schema.keyword(keyword) ?? {};
  if (!isObject(dependent)) throw createValueProblem(schema, keyword, "an object", dependent);
  for (const [property, list] of Object.entries(dependent)) {
    const names = readNames(schema, keyword, list);
    const checks = names.flatMap((name) => rejectMissing(name, keyword, { property }));
    block.push(...wrapInIf(printHasMember(object.value, property), checks));
  }
  return block;
}

function generatePropertyNames(schema: Schema, object: CodegenContext): Block {
  const nameSchema = schema.subschema("propertyNames");
  if (!nameSchema) return [];
  const key = getKeyVariable(object);
  const name = { ...object, value: key, depth: object.depth + 1, evaluated: undefined, types: STRING_ONLY };
  const test = object.generator.generateTest(nameSchema, name);
  if (test === "true") return [];
  return generateKeyLoop(object, rejectIf(`!(${test})`, object, "propertyNames", `{ propertyName: ${key} }`));
}

const STRING_ONLY = new Set(["string"] as const);

/** Returns the variable that contains the key in loops over the keys of an object. */
export function getKeyVariable(object: CodegenContext): string {
  return `key${object.depth + 1}`;
}

function generateKeyLoop(object: CodegenContext, code: Block): Block {
  return code.length === 0 ? [] : [`for (const ${getKeyVariable(object)} in ${object.value}) {`, code, "}"];
}

function generateAdditionalProperties(schema: Schema, object: CodegenContext): Block {
  const additional = schema.subschema("additionalProperties");
  if (!additional) return [];
  const names = [...readSubschemaMap(schema, "properties").keys()];
  const patterns = [...readSubschemaMap(schema, "patternProperties").keys()];
  return generateOtherProperties(schema, "additionalProperties", additional, names, patterns, object);
}

/**
 * Generates the check of additional or unevaluated properties.
 *
 * @param owner the schema with the keyword
 * @param schema the schema of these properties
 * @param names the properties that it does not apply to
 * @param patterns matches further properties that it does not apply to
 */
export function generateOtherProperties(
  owner: Schema,
  keyword: RemainderKeyword,
  schema: Schema,
  names: readonly string[],
  patterns: readonly string[],
  object: CodegenContext,
): Block {
  const { generator } = object;
  const key = getKeyVariable(object);
  // If all errors are reported, they list the known names for suggestions.
  const listsNames = generator.reportsAll && schema.boolean === false && names.length > 0;
  const knownNames = listsNames ? addNamesConstant(owner, keyword, names, object) : undefined;
  const code = generateOtherProperty(schema, keyword, object, knownNames);
  if (code.length === 0) return [];
  const set =
    knownNames ??
    (names.length > MAX_INLINE_NAMES ? addNamesConstant(owner, keyword, names, object) : undefined);
  const conditions = [
    ...(set === undefined
      ? names.map((name) => `${key} !== ${printStringLiteral(name)}`)
      : [`!${set}.has(${key})`]),
    ...patterns.map((each) => `!${addPattern(each, owner, "patternProperties", generator)}.test(${key})`),
  ];
  return generateKeyLoop(object, conditions.length === 0 ? code : wrapInIf(conditions.join(" && "), code));
}

/** Adds a constant with a set of property names to the output, and returns the name of the constant. */
export function addNamesConstant(
  owner: Schema,
  keyword: RemainderKeyword,
  names: readonly string[],
  { generator }: CodegenContext,
): string {
  const list = names.map((name) => `  ${printStringLiteral(name)},`);
  const suffix = keyword === "additionalProperties" ? "names" : "evaluated";
  return generator.addConstant(
    `${generator.chooseName(owner)}$${suffix}`,
    ["new Set([", ...list, "])"].join("\n"),
  );
}

/**
 * Generates the check of one additional or unevaluated property. The key variable contains its name.
 *
 * @param knownNames constant with the set of the declared names, which the error contains for suggestions
 */
export function generateOtherProperty(
  schema: Schema,
  keyword: RemainderKeyword,
  object: CodegenContext,
  knownNames: string | undefined,
): Block {
  if (schema.boolean !== false) return generatePropertyOfKey(schema, object);
  const known = knownNames === undefined ? "" : `, known: [...${knownNames}]`;
  const param = keyword === "additionalProperties" ? "additionalProperty" : "unevaluatedProperty";
  return reject(object, keyword, `{ ${param}: ${getKeyVariable(object)}${known} }`);
}

/** Generates the check of the property whose name is in the key variable. */
function generatePropertyOfKey(schema: Schema, object: CodegenContext): Block {
  const { generator } = object;
  const key = getKeyVariable(object);
  const property = createChildContext(object, {
    expression: `${generator.useHelper("pointerStep")}(${key})`,
  });
  const code = generator.generateChecks(schema, property);
  return code.length === 0 ? [] : [`${property.value} = ${object.value}[${key}];`, ...code];
}

function generateProperties(schema: Schema, object: CodegenContext): Block {
  const required = readNames(schema, "required");
  return [...readSubschemaMap(schema, "properties")].flatMap(([name, propertySchema]) => {
    // A function that reports all errors continues after a missing required property.
    const isPresent = required.includes(name) && !object.generator.reportsAll;
    return generateProperty(name, propertySchema, isPresent, object);
  });
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
  check = (propertySchema: Schema, context: CodegenContext): Block =>
    object.generator.generateChecks(propertySchema, context),
): Block {
  const hasMember = printHasMember(object.value, name);
  if (schema.boolean === false) {
    const rejection = reject(object, "false schema", "{}", [...object.path, name]);
    return isPresent ? rejection : wrapInIf(hasMember, rejection);
  }
  const property = createChildContext(object, name);
  const code = check(schema, property);
  if (code.length === 0) return [];
  const read = `${property.value} = ${printMember(object.value, name)};`;
  if (isPresent) return [read, ...code];
  return hasMember.startsWith("Object.hasOwn(")
    ? wrapInIf(hasMember, [read, ...code])
    : [read, ...wrapInIf(`${property.value} !== undefined`, code)];
}

function generatePatternProperties(schema: Schema, object: CodegenContext): Block {
  const key = getKeyVariable(object);
  return [...readSubschemaMap(schema, "patternProperties")].flatMap(([pattern, propertySchema]) => {
    const test = `${addPattern(pattern, schema, "patternProperties", object.generator)}.test(${key})`;
    const block = generatePropertyOfKey(propertySchema, object);
    if (object.evaluated !== undefined) block.push(`${object.evaluated}.add(${key});`);
    return generateKeyLoop(object, wrapInIf(test, block));
  });
}

/** Generates `dependentSchemas`. */
export function generateDependentSchemas(schema: Schema, context: CodegenContext): Block {
  return whenType(context, "object", (object) =>
    [...readSubschemaMap(schema, "dependentSchemas")].flatMap(([name, dependentSchema]) =>
      wrapInIf(printHasMember(object.value, name), object.generator.generateChecks(dependentSchema, object)),
    ),
  );
}

/** Generates code that marks the properties of `properties` and `additionalProperties` as evaluated. */
function generateMarkEvaluated(schema: Schema, object: CodegenContext): Block {
  if (object.evaluated === undefined) return [];
  if (schema.keyword("additionalProperties") !== undefined) return generateMarkAllEvaluated(object);
  return [...readSubschemaMap(schema, "properties").keys()].map(
    (name) => `${object.evaluated}.add(${printStringLiteral(name)});`,
  );
}

/** Generates code that marks every property of an object as evaluated. */
export function generateMarkAllEvaluated(object: CodegenContext): Block {
  return object.evaluated === undefined
    ? []
    : [`for (const key in ${object.value}) ${object.evaluated}.add(key);`];
}
