import type { JsonObject } from "../../../model/model.js";
import { type Block, wrapInIf } from "./block.js";
import {
  type CodegenContext,
  createChildContext,
  generateCountLimits,
  whenType,
  rejectIf,
} from "./context.js";
import { readCount, readSubschemaList } from "./read-keywords.js";
import type { Schema } from "../../../model/schema/schema.js";

/** Generates the keywords of arrays, except `unevaluatedItems`. */
export function generateArrayKeywords(schema: Schema, context: CodegenContext): Block {
  return whenType(context, "array", (array) => {
    const { value, generator } = array;
    const block = generateCountLimits(schema, "Items", `${value}.length`, array);
    if (schema.keyword("uniqueItems") === true) {
      block.push(...rejectIf(`!${generator.useHelper("isUnique")}(${value})`, array, "uniqueItems", {}));
    }
    block.push(...generateContains(schema, array));
    const first = readSubschemaList(schema, "prefixItems");
    const prefix = first.length;
    for (const [index, itemSchema] of first.entries()) {
      const item = createChildContext(array, String(index));
      const code = generator.generateChecks(itemSchema, item);
      const check = [`${item.value} = ${value}[${index}];`, ...code];
      if (code.length > 0) block.push(...wrapInIf(`${value}.length > ${index}`, check));
    }
    const rest = schema.subschema("items");
    if (rest) block.push(...generateItemLoop(rest, array, prefix));
    if (array.evaluated !== undefined && (rest || prefix > 0)) {
      const end = rest ? `${value}.length` : `Math.min(${prefix}, ${value}.length)`;
      block.push(`for (let index = 0; index < ${end}; index += 1) ${array.evaluated}.add(index);`);
    }
    return block;
  });
}

/** Generates a loop that checks the items from the index `first` on against a schema. */
export function generateItemLoop(schema: Schema, array: CodegenContext, first: number): Block {
  const index = `index${array.depth + 1}`;
  const item = createChildContext(array, { expression: index });
  const code = array.generator.generateChecks(schema, item);
  if (code.length === 0) return [];
  return [
    `for (let ${index} = ${first}; ${index} < ${array.value}.length; ${index} += 1) {`,
    [`${item.value} = ${array.value}[${index}];`, ...code],
    "}",
  ];
}

function generateContains(schema: Schema, array: CodegenContext): Block {
  const { generator } = array;
  const contains = schema.subschema("contains");
  if (!contains) return [];
  const least = readCount(schema, "minContains") ?? 1;
  const most = readCount(schema, "maxContains");
  if (least === 0 && most === undefined && array.evaluated === undefined) return [];
  const item = { ...createChildContext(array, ""), scope: array.scope };
  const { name } = generator.getFunction(contains, item, { tracksEvaluated: false });
  const evaluated = array.evaluated === undefined ? "" : `, ${array.evaluated}`;
  const count = `${generator.useHelper("countMatching")}(${array.value}, ${name}${evaluated})`;
  const params: JsonObject = { minContains: least, ...(most === undefined ? {} : { maxContains: most }) };
  if (least === 0 && most === undefined) return [`${count};`];
  if (most === undefined) return rejectIf(`${count} < ${least}`, array, "contains", params);
  const counted = `contained${array.depth + 1}`;
  const condition = [...(least > 0 ? [`${counted} < ${least}`] : []), `${counted} > ${most}`].join(" || ");
  return ["{", [`const ${counted} = ${count};`, ...rejectIf(condition, array, "contains", params)], "}"];
}
