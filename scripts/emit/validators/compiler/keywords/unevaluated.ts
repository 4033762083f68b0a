import { listDeclaredNames, findEvaluatedMembers } from "../../../../model/schema/evaluated-members.js";
import { type Block, wrapInIf } from "../block.js";
import { generateItemLoop, getIndexVariable, markItemsEvaluated } from "./arrays.js";
import { type CodegenContext, whenType } from "../context.js";
import {
  addNamesConstant,
  generateKeyLoop,
  markPropertiesEvaluated,
  generateRemainingProperties,
  generateRemainingProperty,
  getKeyVariable,
} from "./objects.js";
import { acceptsEverything } from "../assertions.js";
import type { Schema } from "../../../../model/schema/schema.js";

/** Variable of functions that track evaluated members: the number of errors before the call. */
export const ERROR_COUNT_BEFORE = "errorCountBefore";

/**
 * Whether a function must track evaluated properties or items at run time: the schema alone does not determine to which ones
 * `unevaluatedProperties` or `unevaluatedItems` applies.
 */
export function mustTrackEvaluated(schema: Schema): boolean {
  return (["properties", "items"] as const).some((kind) => {
    const subschema = schema.subschema(kind === "items" ? "unevaluatedItems" : "unevaluatedProperties");
    return subschema && !acceptsEverything(subschema) && findEvaluatedMembers(schema, kind) === undefined;
  });
}

/** Generates `unevaluatedItems`, which depends on all other keywords. */
export function generateUnevaluatedItems(schema: Schema, context: CodegenContext): Block {
  const subschema = schema.subschema("unevaluatedItems");
  if (!subschema) return [];
  const evaluated = findEvaluatedMembers(schema, "items");
  return whenType(context, "array", (arrayContext) => {
    const markEvaluated = markItemsEvaluated(arrayContext);
    if (evaluated?.all || acceptsEverything(subschema)) return markEvaluated;
    if (evaluated)
      return [...generateItemLoop(subschema, arrayContext, evaluated.itemCount), ...markEvaluated];
    const isUnevaluated = `!${arrayContext.evaluatedVariable}.has(${getIndexVariable(arrayContext)})`;
    return unlessInvalid([...generateItemLoop(subschema, arrayContext, 0, isUnevaluated), ...markEvaluated]);
  });
}

/** Generates `unevaluatedProperties`, which depends on all other keywords. */
export function generateUnevaluatedProperties(schema: Schema, context: CodegenContext): Block {
  const keyword = "unevaluatedProperties";
  const subschema = schema.subschema(keyword);
  if (!subschema) return [];
  const evaluated = findEvaluatedMembers(schema, "properties");
  return whenType(context, "object", (objectContext) => {
    const markEvaluated = markPropertiesEvaluated(objectContext);
    if (evaluated?.all || acceptsEverything(subschema)) return markEvaluated;
    if (evaluated) {
      // Sorted, so that the order of the document does not matter.
      const excluded = { names: [...evaluated.names].sort(), patterns: [...evaluated.patterns].sort() };
      return [...generateRemainingProperties(schema, keyword, excluded, objectContext), ...markEvaluated];
    }
    const { options } = objectContext.generator;
    const names = options.listDeclaredNames ? [...listDeclaredNames(schema)].sort() : [];
    const list = names.length > 0 ? addNamesConstant(schema, keyword, names, objectContext) : undefined;
    const code = generateRemainingProperty(subschema, keyword, objectContext, list);
    const isUnevaluated = `!${objectContext.evaluatedVariable}.has(${getKeyVariable(objectContext)})`;
    return unlessInvalid([
      ...generateKeyLoop(objectContext, wrapInIf(isUnevaluated, code)),
      ...markEvaluated,
    ]);
  });
}

/** Skips code after other errors: then members can be unevaluated only because a subschema did not match. */
function unlessInvalid(code: Block): Block {
  return wrapInIf(`errorCount === ${ERROR_COUNT_BEFORE}`, code);
}
