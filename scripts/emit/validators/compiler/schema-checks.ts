import { isObject } from "../../../model/json.js";
import { evaluatesNothing, toJsonTypes } from "../../../model/schema/composition.js";
import type { Schema } from "../../../model/schema/schema.js";
import { generateArrayKeywords } from "./arrays.js";
import type { Block } from "./block.js";
import { ALL_VALID, type CheckFunction, type CodegenContext, reject } from "./context.js";
import { generateDependentSchemas, generateObjectKeywords } from "./objects.js";
import { createValueProblem, preview, SchemaProblem } from "./problem.js";
import { readTypes } from "./read-keywords.js";
import { acceptsEverything, enterScope, listAssertions, resolveDynamicReference } from "./references.js";
import {
  generateEnumAndConst,
  generateNumberKeywords,
  generateStringKeywords,
  generateType,
} from "./scalars.js";
import { printTypeTest } from "./type-tests.js";
import { generateUnevaluatedKeywords, mustTrackEvaluated } from "./unevaluated.js";
import { generateCompositionKeywords, generateConditionalKeywords, generateUnionKeywords } from "./unions.js";
import { printPath } from "./value-path.js";

/** Generates statements that return false unless a value matches a schema. */
export function generateSchemaChecks(schema: Schema, outer: CodegenContext): Block {
  const { value, nullable } = schema;
  if (value === true) return [];
  if (value === false) return reject(outer, "false schema", "{}");
  if (!isObject(value)) throw new SchemaProblem(schema, `a schema must be an object, not ${preview(value)}`);
  if (schema.problem !== undefined) throw new SchemaProblem(schema, schema.problem);
  const scope = enterScope(outer.scope, schema);
  const context = scope === outer.scope ? outer : { ...outer, scope };
  // Each function tracks one set of evaluated properties, so a schema that needs its own set gets its own function.
  if (context.enclosingFunction.schema !== schema && mustTrackEvaluated(schema)) {
    const tracksEvaluated = context.evaluated !== undefined;
    return generateCall(context.generator.getFunction(schema, context, { tracksEvaluated }), context);
  }
  const block = generateKeywords(schema, context);
  if (!nullable || block.length === 0) return block;
  return [`if (${context.value} !== null) {`, block, "}"];
}

function generateKeywords(schema: Schema, outer: CodegenContext): Block {
  collectExpectation(schema, outer);
  // For type tests, which print calls of it.
  outer.generator.useHelper("isObject");
  const types = readTypes(schema);
  const known = types && toJsonTypes(types);
  // A function that reports all errors continues after a wrong type.
  const narrows = known !== undefined && !outer.generator.reportsAll;
  const context = narrows
    ? { ...outer, types: new Set([...outer.types].filter((type) => known.has(type))) }
    : outer;
  const block = generateType(schema, outer);
  for (const generate of listKeywordGenerators(schema)) block.push(...generate(schema, context));
  return block;
}

/** Generates the checks of a group of keywords. Returns no code for a schema without these keywords. */
type KeywordGenerator = (schema: Schema, context: CodegenContext) => Block;

/**
 * The generators of all keywords except `type`, with the keywords that make each necessary. Errors appear in this order:
 * the value itself, its members, then combinations.
 */
const GENERATORS: readonly [generate: KeywordGenerator, keywords: string][] = [
  [generateEnumAndConst, "enum const"],
  [generateReferences, "$ref $dynamicRef"],
  [generateNumberKeywords, "maximum minimum exclusiveMaximum exclusiveMinimum multipleOf"],
  [generateStringKeywords, "maxLength minLength pattern format"],
  [generateArrayKeywords, "maxItems minItems uniqueItems contains prefixItems items"],
  [
    generateObjectKeywords,
    "required dependentRequired maxProperties minProperties propertyNames additionalProperties properties patternProperties",
  ],
  [generateDependentSchemas, "dependentSchemas"],
  [generateCompositionKeywords, "allOf not"],
  [generateUnionKeywords, "anyOf oneOf"],
  [generateConditionalKeywords, "if"],
  [generateUnevaluatedKeywords, "unevaluatedItems unevaluatedProperties"],
];

/** Index of the generator for each keyword. */
const GENERATOR_INDEXES: ReadonlyMap<string, number> = new Map(
  GENERATORS.flatMap(([, keywords], index) =>
    keywords.split(" ").map((keyword): [string, number] => [keyword, index]),
  ),
);

/**
 * Lists the generators that a schema needs, in the order of their errors. Most schemas have a few keywords, so calling only
 * these generators saves a quarter of the instructions that generate checks.
 */
function listKeywordGenerators({ keywords }: Schema): KeywordGenerator[] {
  const indexes = new Set<number>();
  for (const keyword of Object.keys(keywords)) {
    const index = GENERATOR_INDEXES.get(keyword);
    if (index !== undefined) indexes.add(index);
  }
  return GENERATORS.flatMap(([generate], index) => (indexes.has(index) ? [generate] : []));
}

function generateReferences(schema: Schema, context: CodegenContext): Block {
  return ["$ref", "$dynamicRef"].flatMap((keyword) => {
    const reference = schema.keyword(keyword);
    if (reference === undefined) return [];
    if (typeof reference !== "string") throw createValueProblem(schema, keyword, "a string", reference);
    const target = keyword === "$ref" ? schema.reference : resolveDynamicReference(schema, context.scope);
    if (!target) throw new SchemaProblem(schema, `${keyword} leads nowhere: ${reference}`, keyword);
    return generateSchemaCall(target, context);
  });
}

/** Generates statements that check a value with the function of a schema. */
export function generateSchemaCall(target: Schema, context: CodegenContext): Block {
  if (target.boolean === false) return reject(context, "false schema", "{}");
  if (acceptsEverything(target)) return [];
  const tracksEvaluated = needsTracking(target, context);
  return generateCall(context.generator.getFunction(target, context, { tracksEvaluated }), context);
}

function generateCall({ name, tracksEvaluated }: CheckFunction, context: CodegenContext): Block {
  const path = context.path.length === 0 ? "path" : `errors && ${printPath(context.path)}`;
  const evaluated = tracksEvaluated && context.evaluated !== undefined ? `, ${context.evaluated}` : "";
  const call = `!${name}(${context.value}, errors, ${path}${evaluated})`;
  if (!context.generator.reportsAll) return [`if (${call}) return false;`];
  return [`if (${call}) {`, ["if (errors === null) return false;", `${ALL_VALID} = false;`], "}"];
}

/** Generates an expression that is true if a value matches a schema. It reports no errors. */
export function generateSchemaTest(schema: Schema, context: CodegenContext): string {
  const { value } = schema;
  if (typeof value === "boolean") return String(value);
  const tracksEvaluated = needsTracking(schema, context);
  if (!tracksEvaluated && isObject(value)) {
    const [only, ...others] = listAssertions(schema);
    const types = only === "type" && others.length === 0 ? readTypes(schema) : undefined;
    if (types && !schema.nullable) {
      const tests = types.map((type) => printTypeTest(type, context.value));
      return tests.length === 1 ? tests.join("") : `(${tests.join(" || ")})`;
    }
    if (acceptsEverything(schema)) return "true";
  }
  const { name } = context.generator.getFunction(schema, context, { tracksEvaluated });
  return tracksEvaluated
    ? `${context.generator.useHelper("testTracked")}(${name}, ${context.value}, ${context.evaluated})`
    : `${name}(${context.value}, null, null)`;
}

/** Whether a test of a schema must add evaluated properties or items to the set of the context. */
function needsTracking(schema: Schema, { evaluated }: CodegenContext): boolean {
  return evaluated !== undefined && !evaluatesNothing(schema);
}

/** Collects the description of the expected values of a pattern, which error messages contain. */
function collectExpectation(schema: Schema, { generator }: CodegenContext): void {
  const pattern = schema.text("pattern");
  const expected = schema.text("x-expected");
  if (pattern !== undefined && expected !== undefined) generator.addExpectation(pattern, expected);
}
