import { Code, printStringLiteral } from "../../../../code/encode.js";
import { isObject } from "../../../../json.js";
import type { Schema } from "../../../../model/schema/schema.js";
import { type Block, wrapInIf } from "../block.js";
import { isInheritedName, printHasMember, printLacksMember, printMember } from "../expressions.js";
import {
  type CodegenContext,
  createChildContext,
  reject,
  rejectIf,
  whenType,
  generateCountLimits,
} from "../context.js";
import { addPattern, reportUncheckedPattern } from "./pattern.js";
import { createValueError, readNames, readSubschemaMap } from "./read-keywords.js";

/** Maximum number of names that are compared one by one; more names are compared by a Set. */
const MAX_INLINE_NAMES = 8;

/** Keywords for the properties to which no other keyword applies. */
type RemainderKeyword = "additionalProperties" | "unevaluatedProperties";

/** Generates the keywords of objects, except `dependentSchemas` and `unevaluatedProperties`. */
export function generateObjectKeywords(schema: Schema, context: CodegenContext): Block {
  return whenType(context, "object", (objectContext) => {
    const count = `Object.keys(${objectContext.valueVariable}).length`;
    const properties = readSubschemaMap(schema, "properties");
    const patterns = [...readSubschemaMap(schema, "patternProperties").keys()];
    const declared = { names: [...properties.keys()], patterns };
    return [
      ...generateRequired(schema, objectContext),
      ...generateCountLimits(schema, "Properties", count, objectContext),
      ...generatePropertyNames(schema, objectContext),
      ...generateRemainingProperties(schema, "additionalProperties", declared, objectContext),
      ...[...properties].flatMap(([name, property]) => generateProperty(name, property, objectContext)),
      ...generatePatternProperties(schema, objectContext),
      ...markDeclaredEvaluated(schema, objectContext),
    ];
  });
}

/** Generates `required` and `dependentRequired`. */
function generateRequired(schema: Schema, objectContext: CodegenContext): Block {
  const rejectMissing = (missingProperty: string, keyword: string, property?: string): Block => {
    const condition = printLacksMember(objectContext.valueVariable, missingProperty);
    return rejectIf(condition, objectContext, keyword, { property, missingProperty });
  };
  const block = readNames(schema, "required").flatMap((name) => rejectMissing(name, "required"));
  const keyword = "dependentRequired";
  const dependent = schema.keyword(keyword) ?? {};
  if (!isObject(dependent)) throw createValueError(schema, keyword, "an object", dependent);
  for (const [property, list] of Object.entries(dependent)) {
    const names = readNames(schema, keyword, list);
    const checks = names.flatMap((name) => rejectMissing(name, keyword, property));
    block.push(...wrapInIf(printHasMember(objectContext.valueVariable, property), checks));
  }
  return block;
}

function generatePropertyNames(schema: Schema, objectContext: CodegenContext): Block {
  const nameSchema = schema.subschema("propertyNames");
  if (!nameSchema) return [];
  const key = getKeyVariable(objectContext);
  const nameContext: CodegenContext = {
    ...objectContext,
    valueVariable: key,
    level: objectContext.level + 1,
    evaluatedVariable: undefined,
    possibleTypes: STRING_ONLY,
  };
  const test = objectContext.generator.generateTest(nameSchema, nameContext);
  if (test === "true") return [];
  const params = { propertyName: new Code(key) };
  return generateKeyLoop(objectContext, rejectIf(`!(${test})`, objectContext, "propertyNames", params));
}

const STRING_ONLY = new Set(["string"] as const);

/** Returns the variable that contains the key in loops over the keys of an object. */
export function getKeyVariable(objectContext: CodegenContext): string {
  return `key${objectContext.level + 1}`;
}

/** Generates a loop over the keys of an object. Returns no loop for an empty block. */
export function generateKeyLoop(objectContext: CodegenContext, code: Block): Block {
  return code.length === 0
    ? []
    : [`for (const ${getKeyVariable(objectContext)} in ${objectContext.valueVariable}) {`, code, "}"];
}

/**
 * Generates the check of additional or unevaluated properties.
 *
 * @param excluded names, and patterns of names, to which the keyword does not apply
 */
export function generateRemainingProperties(
  owner: Schema,
  keyword: RemainderKeyword,
  { names, patterns }: { names: readonly string[]; patterns: readonly string[] },
  objectContext: CodegenContext,
): Block {
  const schema = owner.subschema(keyword);
  if (!schema) return [];
  const { generator } = objectContext;
  const patternNames = patterns.map((each) => addPattern(each, generator));
  // Any property could match a pattern that cannot be checked.
  if (patternNames.includes(undefined)) return [];
  const key = getKeyVariable(objectContext);
  const listsNames = generator.options.listDeclaredNames && schema.booleanValue === false;
  const addNames = (): string => addNamesConstant(owner, keyword, names, objectContext);
  const listedNames = listsNames && names.length > 0 ? addNames() : undefined;
  const code = generateRemainingProperty(schema, keyword, objectContext, listedNames);
  if (code.length === 0) return [];
  const nameSet = names.length > MAX_INLINE_NAMES ? addNames() : listedNames;
  const conditions = [
    ...(nameSet === undefined
      ? names.map((name) => `${key} !== ${printStringLiteral(name)}`)
      : [`!${nameSet}.has(${key})`]),
    ...patternNames.map((each) => `!${each}.test(${key})`),
  ];
  return generateKeyLoop(
    objectContext,
    conditions.length === 0 ? code : wrapInIf(conditions.join(" && "), code),
  );
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
  objectContext: CodegenContext,
  namesConstant: string | undefined,
): Block {
  if (schema.booleanValue !== false) return generateValueOfKey(schema, objectContext);
  const param = keyword === "additionalProperties" ? "additionalProperty" : "unevaluatedProperty";
  return reject(objectContext, keyword, {
    [param]: new Code(getKeyVariable(objectContext)),
    known: namesConstant && new Code(`[...${namesConstant}]`),
  });
}

/** Generates the check of the property whose name is in the key variable. */
function generateValueOfKey(schema: Schema, objectContext: CodegenContext): Block {
  const { generator } = objectContext;
  const key = getKeyVariable(objectContext);
  const expression = `${generator.useHelper("pointerStep")}(${key})`;
  const propertyContext = createChildContext(objectContext, { expression });
  const code = generator.generateChecks(schema, propertyContext);
  if (code.length === 0) return [];
  return [`${propertyContext.valueVariable} = ${objectContext.valueVariable}[${key}];`, ...code];
}

/** Generates the check of one property, if it is present. */
export function generateProperty(
  name: string,
  schema: Schema,
  objectContext: CodegenContext,
  check = (propertySchema: Schema, context: CodegenContext): Block =>
    objectContext.generator.generateChecks(propertySchema, context),
): Block {
  const hasMember = printHasMember(objectContext.valueVariable, name);
  if (schema.booleanValue === false)
    return wrapInIf(hasMember, reject({ path: [...objectContext.path, name] }, "false schema"));
  const propertyContext = createChildContext(objectContext, name);
  const code = check(schema, propertyContext);
  if (code.length === 0) return [];
  const read = `${propertyContext.valueVariable} = ${printMember(objectContext.valueVariable, name)};`;
  // Reading an inherited name finds a member of the prototype, so its presence is tested first.
  return isInheritedName(name)
    ? wrapInIf(hasMember, [read, ...code])
    : [read, ...wrapInIf(`${propertyContext.valueVariable} !== undefined`, code)];
}

function generatePatternProperties(schema: Schema, objectContext: CodegenContext): Block {
  const key = getKeyVariable(objectContext);
  return [...readSubschemaMap(schema, "patternProperties")].flatMap(([pattern, propertySchema]) => {
    const name = addPattern(pattern, objectContext.generator);
    if (name === undefined) {
      reportUncheckedPattern(pattern, schema, "patternProperties", objectContext.generator);
      return markPropertiesEvaluated(objectContext);
    }
    const block = generateValueOfKey(propertySchema, objectContext);
    if (objectContext.evaluatedVariable !== undefined)
      block.push(`${objectContext.evaluatedVariable}.add(${key});`);
    return generateKeyLoop(objectContext, wrapInIf(`${name}.test(${key})`, block));
  });
}

export function generateDependentSchemas(schema: Schema, context: CodegenContext): Block {
  return whenType(context, "object", (objectContext) =>
    [...readSubschemaMap(schema, "dependentSchemas")].flatMap(([name, dependentSchema]) =>
      wrapInIf(
        printHasMember(objectContext.valueVariable, name),
        objectContext.generator.generateChecks(dependentSchema, objectContext),
      ),
    ),
  );
}

/** Generates code that marks the properties of `properties` as evaluated, or all if there is `additionalProperties`. */
function markDeclaredEvaluated(schema: Schema, objectContext: CodegenContext): Block {
  const { evaluatedVariable } = objectContext;
  if (evaluatedVariable === undefined) return [];
  if (schema.keyword("additionalProperties") !== undefined) return markPropertiesEvaluated(objectContext);
  return [...readSubschemaMap(schema, "properties").keys()].map(
    (name) => `${evaluatedVariable}.add(${printStringLiteral(name)});`,
  );
}

export function markPropertiesEvaluated({ valueVariable, evaluatedVariable }: CodegenContext): Block {
  return evaluatedVariable === undefined
    ? []
    : [`for (const key in ${valueVariable}) ${evaluatedVariable}.add(key);`];
}
