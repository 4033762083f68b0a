import { isObject } from "../../../json.js";
import { getInvalidDefault } from "../../../model/schema/default-value.js";
import { evaluatesMembers } from "../../../model/schema/evaluated-members.js";
import { toJsonTypes } from "../../../model/schema/json-types.js";
import type { Schema } from "../../../model/schema/schema.js";
import { SchemaError } from "../../../model/schema/schema-error.js";
import { generateArrayKeywords } from "./keywords/arrays.js";
import { type Block, wrapInIf } from "./block.js";
import {
  generateCompositionKeywords,
  generateConditionalKeywords,
  generateUnionKeywords,
} from "./keywords/composition.js";
import { type CheckFunction, type CodegenContext, reject } from "./context.js";
import { generateDependentSchemas, generateObjectKeywords } from "./keywords/objects.js";
import { createValueError, readTypes, shortenJson } from "./keywords/read-keywords.js";
import { enterScope, resolveDynamicReference } from "../../../model/schema/dynamic-scope.js";
import { acceptsEverything, listAssertionKeywords } from "./assertions.js";
import {
  generateEnumAndConst,
  generateNumberKeywords,
  generateStringKeywords,
  generateType,
} from "./keywords/scalars.js";
import { printTypeTest, printPath } from "./expressions.js";
import {
  generateUnevaluatedItems,
  generateUnevaluatedProperties,
  mustTrackEvaluated,
} from "./keywords/unevaluated.js";

/** Generates statements that report an error unless a value matches a schema. */
export function generateSchemaChecks(schema: Schema, context: CodegenContext): Block {
  const { value, nullable } = schema;
  if (value === true) return [];
  if (value === false) return reject(context, "false schema");
  if (!isObject(value))
    throw new SchemaError(schema, `a schema must be an object, not ${shortenJson(value)}`);
  if (schema.problem !== undefined) throw new SchemaError(schema, schema.problem);
  const inner: CodegenContext = { ...context, scope: enterScope(context.scope, schema) };
  // Each function tracks one set of evaluated properties, so a schema that needs its own set gets its own function.
  if (inner.enclosingFunction.schema !== schema && mustTrackEvaluated(schema)) {
    const tracksEvaluated = inner.evaluatedVariable !== undefined;
    return generateFunctionCall(inner.generator.getFunction(schema, inner, tracksEvaluated), inner);
  }
  const block = generateKeywords(schema, inner);
  return nullable ? wrapInIf(`${inner.valueVariable} !== null`, block) : block;
}

function generateKeywords(schema: Schema, context: CodegenContext): Block {
  const typeNames = readTypes(schema);
  const allowedTypes = typeNames && toJsonTypes(typeNames);
  const narrowed: CodegenContext = allowedTypes
    ? {
        ...context,
        possibleTypes: new Set([...context.possibleTypes].filter((type) => allowedTypes.has(type))),
      }
    : context;
  const invalidDefault = getInvalidDefault(schema);
  if (invalidDefault !== undefined) {
    const message = `The schema does not allow its default ${shortenJson(invalidDefault)}. Correct one of them.`;
    context.generator.addWarning(schema, "default", message);
  }
  const block = GENERATORS.flatMap((generate) => generate(schema, narrowed));
  return typeNames ? generateType(schema, typeNames, context, block) : block;
}

/** Generates the checks of a group of keywords. Returns no code for a schema without these keywords. */
type KeywordGenerator = (schema: Schema, context: CodegenContext) => Block;

/** The generators of all keywords except `type`, in the order of their errors. */
const GENERATORS: readonly KeywordGenerator[] = [
  generateEnumAndConst,
  generateReferences,
  generateNumberKeywords,
  generateStringKeywords,
  generateArrayKeywords,
  generateObjectKeywords,
  generateDependentSchemas,
  generateCompositionKeywords,
  generateUnionKeywords,
  generateConditionalKeywords,
  generateUnevaluatedItems,
  generateUnevaluatedProperties,
];

function generateReferences(schema: Schema, context: CodegenContext): Block {
  return ["$ref", "$dynamicRef"].flatMap((keyword) => {
    const reference = schema.keyword(keyword);
    if (reference === undefined) return [];
    if (typeof reference !== "string") throw createValueError(schema, keyword, "a string", reference);
    const target = keyword === "$ref" ? schema.reference : resolveDynamicReference(schema, context.scope);
    if (!target) throw new SchemaError(schema, `${keyword} leads nowhere: ${reference}`, keyword);
    return generateSchemaCall(target, context);
  });
}

/** Generates statements that check a value with the function of a schema. */
export function generateSchemaCall(target: Schema, context: CodegenContext): Block {
  if (target.booleanValue === false) return reject(context, "false schema");
  if (acceptsEverything(target)) return [];
  const tracksEvaluated = addsEvaluatedMembers(target, context);
  return generateFunctionCall(context.generator.getFunction(target, context, tracksEvaluated), context);
}

function generateFunctionCall({ name, tracksEvaluated }: CheckFunction, context: CodegenContext): Block {
  const { path, valueVariable, evaluatedVariable } = context;
  // Without a list of errors, no time is spent on a nested path.
  const pathArgument = path.length === 0 ? "path" : `errors && ${printPath(path)}`;
  const evaluatedArgument =
    tracksEvaluated && evaluatedVariable !== undefined ? `, ${evaluatedVariable}` : "";
  return [`if (!${name}(${valueVariable}, errors, ${pathArgument}${evaluatedArgument})) return false;`];
}

/** Generates an expression that is true if a value matches a schema. It reports no errors. */
export function generateSchemaTest(schema: Schema, context: CodegenContext): string {
  const { value } = schema;
  if (typeof value === "boolean") return String(value);
  const tracksEvaluated = addsEvaluatedMembers(schema, context);
  const { valueVariable, evaluatedVariable, generator } = context;
  if (!tracksEvaluated && isObject(value)) {
    const typeNames = listAssertionKeywords(schema).join() === "type" ? readTypes(schema) : undefined;
    if (typeNames && !schema.nullable) {
      const tests = typeNames.map((type) => printTypeTest(type, valueVariable)).join(" || ");
      return typeNames.length === 1 ? tests : `(${tests})`;
    }
    if (acceptsEverything(schema)) return "true";
  }
  const { name } = generator.getFunction(schema, context, tracksEvaluated);
  return tracksEvaluated
    ? `${generator.useHelper("testTracked")}(${name}, ${valueVariable}, ${evaluatedVariable})`
    : `${name}(${valueVariable}, null, null)`;
}

/** Whether the check of a schema can add evaluated properties or items to the set of the context. */
function addsEvaluatedMembers(schema: Schema, { evaluatedVariable }: CodegenContext): boolean {
  return evaluatedVariable !== undefined && evaluatesMembers(schema);
}
