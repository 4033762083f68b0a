import { printStringLiteral } from "../../../code/encode.js";
import { isObject, type JsonObject } from "../../../json.js";
import type { Schema } from "../../../model/schema/schema.js";
import { type Block, wrapInIf } from "./block.js";
import { isInheritedName, printHasMember, printLacksMember, printMember } from "./expressions.js";
import {
  type CodegenContext,
  createChildContext,
  reject,
  rejectAlways,
  rejectIf,
  whenType,
  generateCountLimits,
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
    ...generateCountLimits(schema, "Properties", `Object.keys(${object.valueVariable}).length`, object),
    ...generatePropertyNames(schema, object),
    ...generateAdditionalProperties(schema, object),
    ...generateProperties(schema, object),
    ...generatePatternProperties(schema, object),
    ...markDeclaredEvaluated(schema, object),
  ]);
}

/** Generates `required` and `dependentRequired`. */
function generateRequired(schema: Schema, object: CodegenContext): Block {
  const rejectMissing = (name: string, keyword: string, params: JsonObject): Block =>
    rejectIf(printLacksMember(object.valueVariable, name), object, keyword, {
      ...params,
      missingProperty: name,
    });
  const block = readNames(schema, "required").flatMap((name) => rejectMissing(name, "required", {}));
  const keyword = "dependentRequired";
  const dependent = schema.keyword(keyword) ?? {};
  if (!isObject(dependent)) throw createValueProblem(schema, keyword, "an object", dependent);
  for (const [property, list] of Object.entries(dependent)) {
    const names = readNames(schema, keyword, list);
    const checks = names.flatMap((name) => rejectMissing(name, keyword, { property }));
    block.push(...wrapInIf(printHasMember(object.valueVariable, property), checks));
  }
  return block;
}

function generatePropertyNames(schema: Schema, object: CodegenContext): Block {
  const nameSchema = schema.subschema("propertyNames");
  if (!nameSchema) return [];
  const key = getKeyVariable(object);
  const name: CodegenContext = {
    ...object,
    valueVariable: key,
    level: object.level + 1,
    evaluatedVariable: undefined,
    possibleTypes: STRING_ONLY,
  };
  const test = object.generator.generateTest(nameSchema, name);
  if (test === "true") return [];
  return generateKeyLoop(object, rejectIf(`!(${test})`, object, "propertyNames", `{ propertyName: ${key} }`));
}

const STRING_ONLY = new Set(["string"] as const);

/** Returns the variable that contains the key in loops over the keys of an object. */
export function getKeyVariable(object: CodegenContext): string {
  return `key${object.level + 1}`;
}

function generateKeyLoop(object: CodegenContext, code: Block): Block {
  return code.length === 0
    ? []
    : [`for (const ${getKeyVariable(object)} in ${object.valueVariable}) {`, code, "}"];
}

function generateAdditionalProperties(schema: Schema, object: CodegenContext): Block {
  const names = [...readSubschemaMap(schema, "properties").keys()];
  const patterns = [...readSubschemaMap(schema, "patternProperties").keys()];
  return generateRemainingProperties(schema, "additionalProperties", { names, patterns }, object);
}

/**
 * Generates the check of additional or unevaluated properties.
 *
 * @param owner the schema with the keyword
 * @param excluded names, and patterns of names, to which the keyword does not apply
 */
export function generateRemainingProperties(
  owner: Schema,
  keyword: RemainderKeyword,
  { names, patterns }: { names: readonly string[]; patterns: readonly string[] },
  object: CodegenContext,
): Block {
  const schema = owner.subschema(keyword);
  if (!schema) return [];
  const { generator } = object;
  const key = getKeyVariable(object);
  const listsNames = generator.listsDeclaredNames && schema.boolean === false && names.length > 0;
  const namesConstant = listsNames ? addNamesConstant(owner, keyword, names, object) : undefined;
  const code = generateRemainingProperty(schema, keyword, object, namesConstant);
  if (code.length === 0) return [];
  const setConstant =
    namesConstant ??
    (names.length > MAX_INLINE_NAMES ? addNamesConstant(owner, keyword, names, object) : undefined);
  const conditions = [
    ...(setConstant === undefined
      ? names.map((name) => `${key} !== ${printStringLiteral(name)}`)
      : [`!${setConstant}.has(${key})`]),
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
 * @param namesConstant constant with the set of the declared names, which the error contains for suggestions
 */
export function generateRemainingProperty(
  schema: Schema,
  keyword: RemainderKeyword,
  object: CodegenContext,
  namesConstant: string | undefined,
): Block {
  if (schema.boolean !== false) return generateValueOfKey(schema, object);
  const knownParam = namesConstant === undefined ? "" : `, known: [...${namesConstant}]`;
  const param = keyword === "additionalProperties" ? "additionalProperty" : "unevaluatedProperty";
  return reject(object, keyword, `{ ${param}: ${getKeyVariable(object)}${knownParam} }`);
}

/** Generates the check of the property whose name is in the key variable. */
function generateValueOfKey(schema: Schema, object: CodegenContext): Block {
  const { generator } = object;
  const key = getKeyVariable(object);
  const property = createChildContext(object, {
    expression: `${generator.useHelper("pointerStep")}(${key})`,
  });
  const code = generator.generateChecks(schema, property);
  return code.length === 0 ? [] : [`${property.valueVariable} = ${object.valueVariable}[${key}];`, ...code];
}

function generateProperties(schema: Schema, object: CodegenContext): Block {
  return [...readSubschemaMap(schema, "properties")].flatMap(([name, propertySchema]) =>
    generateProperty(name, propertySchema, object),
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
  object: CodegenContext,
  check = (propertySchema: Schema, context: CodegenContext): Block =>
    object.generator.generateChecks(propertySchema, context),
): Block {
  const hasMember = printHasMember(object.valueVariable, name);
  if (schema.boolean === false) return wrapInIf(hasMember, rejectAlways(object, [...object.path, name]));
  const property = createChildContext(object, name);
  const code = check(schema, property);
  if (code.length === 0) return [];
  const read = `${property.valueVariable} = ${printMember(object.valueVariable, name)};`;
  return isInheritedName(name)
    ? wrapInIf(hasMember, [read, ...code])
    : [read, ...wrapInIf(`${property.valueVariable} !== undefined`, code)];
}

function generatePatternProperties(schema: Schema, object: CodegenContext): Block {
  const key = getKeyVariable(object);
  return [...readSubschemaMap(schema, "patternProperties")].flatMap(([pattern, propertySchema]) => {
    const test = `${addPattern(pattern, schema, "patternProperties", object.generator)}.test(${key})`;
    const block = generateValueOfKey(propertySchema, object);
    if (object.evaluatedVariable !== undefined) block.push(`${object.evaluatedVariable}.add(${key});`);
    return generateKeyLoop(object, wrapInIf(test, block));
  });
}

/** Generates `dependentSchemas`. */
export function generateDependentSchemas(schema: Schema, context: CodegenContext): Block {
  return whenType(context, "object", (object) =>
    [...readSubschemaMap(schema, "dependentSchemas")].flatMap(([name, dependentSchema]) =>
      wrapInIf(
        printHasMember(object.valueVariable, name),
        object.generator.generateChecks(dependentSchema, object),
      ),
    ),
  );
}

/** Generates code that marks the properties of `properties` and `additionalProperties` as evaluated. */
function markDeclaredEvaluated(schema: Schema, object: CodegenContext): Block {
  const { evaluatedVariable } = object;
  if (evaluatedVariable === undefined) return [];
  if (schema.keyword("additionalProperties") !== undefined) return markPropertiesEvaluated(object);
  return [...readSubschemaMap(schema, "properties").keys()].map(
    (name) => `${evaluatedVariable}.add(${printStringLiteral(name)});`,
  );
}

/** Generates code that marks every property of an object as evaluated. */
export function markPropertiesEvaluated({ valueVariable, evaluatedVariable }: CodegenContext): Block {
  return evaluatedVariable === undefined
    ? []
    : [`for (const key in ${valueVariable}) ${evaluatedVariable}.add(key);`];
}
