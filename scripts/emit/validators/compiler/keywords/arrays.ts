import type { Schema } from "../../../../model/schema/schema.js";
import { type Block, wrapInIf } from "../block.js";
import {
  type CodegenContext,
  createChildContext,
  rejectIf,
  whenType,
  generateCountLimits,
} from "../context.js";
import { readCount, readSubschemaList } from "./read-keywords.js";

/** Generates the keywords of arrays, except `unevaluatedItems`. */
export function generateArrayKeywords(schema: Schema, context: CodegenContext): Block {
  return whenType(context, "array", (arrayContext) => {
    const { valueVariable, generator } = arrayContext;
    const lengthExpression = `${valueVariable}.length`;
    const block = generateCountLimits(schema, "Items", lengthExpression, arrayContext);
    if (schema.keyword("uniqueItems") === true) {
      const isUnique = generator.useHelper("isUnique");
      block.push(...rejectIf(`!${isUnique}(${valueVariable})`, arrayContext, "uniqueItems"));
    }
    block.push(...generateContains(schema, arrayContext));
    const prefixItems = readSubschemaList(schema, "prefixItems");
    for (const [index, itemSchema] of prefixItems.entries()) {
      const itemContext = createChildContext(arrayContext, String(index));
      const code = generator.generateChecks(itemSchema, itemContext);
      const check = [`${itemContext.valueVariable} = ${valueVariable}[${index}];`, ...code];
      if (code.length > 0) block.push(...wrapInIf(`${lengthExpression} > ${index}`, check));
    }
    const items = schema.subschema("items");
    if (items)
      block.push(
        ...generateItemLoop(items, arrayContext, prefixItems.length),
        ...markItemsEvaluated(arrayContext),
      );
    else if (prefixItems.length > 0)
      block.push(...markItemsEvaluated(arrayContext, String(prefixItems.length)));
    return block;
  });
}

/**
 * Generates a loop that checks all items from an index on against a schema.
 *
 * @param condition selects the items that are checked; all of them without it
 */
export function generateItemLoop(
  schema: Schema,
  arrayContext: CodegenContext,
  startIndex: number,
  condition?: string,
): Block {
  const indexVariable = getIndexVariable(arrayContext);
  const itemContext = createChildContext(arrayContext, { expression: indexVariable });
  const code = arrayContext.generator.generateChecks(schema, itemContext);
  if (code.length === 0) return [];
  const { valueVariable } = arrayContext;
  const check = [`${itemContext.valueVariable} = ${valueVariable}[${indexVariable}];`, ...code];
  return [
    `for (let ${indexVariable} = ${startIndex}; ${indexVariable} < ${valueVariable}.length; ${indexVariable} += 1) {`,
    condition === undefined ? check : wrapInIf(condition, check),
    "}",
  ];
}

/** Returns the variable that contains the index in loops over the items of an array. */
export function getIndexVariable(arrayContext: CodegenContext): string {
  return `index${arrayContext.level + 1}`;
}

/** Generates code that marks the items before an index as evaluated, by default all items. */
export function markItemsEvaluated(
  { valueVariable, evaluatedVariable }: CodegenContext,
  endExpression = `${valueVariable}.length`,
): Block {
  if (evaluatedVariable === undefined) return [];
  return [`for (let index = 0; index < ${endExpression}; index += 1) ${evaluatedVariable}.add(index);`];
}

function generateContains(schema: Schema, arrayContext: CodegenContext): Block {
  const { generator, valueVariable, evaluatedVariable } = arrayContext;
  const contains = schema.subschema("contains");
  if (!contains) return [];
  const minContains = readCount(schema, "minContains") ?? 1;
  const maxContains = readCount(schema, "maxContains");
  if (minContains === 0 && maxContains === undefined && evaluatedVariable === undefined) return [];
  // The level of the items, but without a local variable: a function of the runtime visits them.
  const path = [...arrayContext.path, { expression: getIndexVariable(arrayContext) }];
  const itemContext: CodegenContext = { ...arrayContext, path, level: arrayContext.level + 1 };
  const { name } = generator.getFunction(contains, itemContext, false);
  const evaluatedArgument = evaluatedVariable === undefined ? "" : `, ${evaluatedVariable}`;
  const call = `${generator.useHelper("countMatching")}(${valueVariable}, ${name}${evaluatedArgument})`;
  if (maxContains === undefined) {
    // The call also marks the matching items as evaluated.
    if (minContains === 0) return [`${call};`];
    return rejectIf(`${call} < ${minContains}`, arrayContext, "contains", { minContains });
  }
  const countVariable = `contained${arrayContext.level + 1}`;
  const conditions = [
    ...(minContains > 0 ? [`${countVariable} < ${minContains}`] : []),
    `${countVariable} > ${maxContains}`,
  ];
  const check = rejectIf(`(${conditions.join(" || ")})`, arrayContext, "contains", {
    minContains,
    maxContains,
  });
  return ["{", [`const ${countVariable} = ${call};`, ...check], "}"];
}
