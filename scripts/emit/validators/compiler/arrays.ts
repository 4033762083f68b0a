import type { JsonObject } from "../../../model/model.js";
import { type Block, wrapInIf } from "./code.js";
import {
  readCount,
  type CodeGenerator,
  type CodegenContext,
  childContext,
  readSubschemaList,
  whenType,
  readKeyword,
  rejectIf,
} from "./context.js";
import type { Schema } from "../../../model/schema/schema.js";

/** Generates the keywords of arrays, except `unevaluatedItems`. */
export function generateArrayKeywords(
  schema: Schema,
  keywords: JsonObject,
  context: CodegenContext,
  generator: CodeGenerator,
): Block {
  return whenType(context, "array", `Array.isArray(${context.value})`, (array) => {
    const { value } = array;
    const block: Block = [];
    const most = readCount(schema, keywords, "maxItems");
    if (most !== undefined) {
      block.push(...rejectIf(`${value}.length > ${most}`, array, "maxItems", { limit: most }));
    }
    const least = readCount(schema, keywords, "minItems");
    if (least !== undefined && least > 0) {
      block.push(...rejectIf(`${value}.length < ${least}`, array, "minItems", { limit: least }));
    }
    if (readKeyword(keywords, "uniqueItems") === true) {
      block.push(...rejectIf(`!${generator.useHelper("isUnique")}(${value})`, array, "uniqueItems", {}));
    }
    block.push(...generateContains(schema, keywords, array, generator));
    const first = readSubschemaList(schema, "prefixItems");
    const prefix = first.length;
    for (const [index, itemSchema] of first.entries()) {
      const item = childContext(array, String(index));
      const code = generator.generateChecks(itemSchema, item);
      if (code.length > 0) {
        block.push(
          ...wrapInIf(`${value}.length > ${index}`, [`${item.value} = ${value}[${index}];`, ...code]),
        );
      }
    }
    const rest = schema.subschema("items");
    if (rest) block.push(...generateItemLoop(rest, array, prefix, generator));
    if (array.evaluated !== undefined && (rest || prefix > 0)) {
      const end = rest ? `${value}.length` : `Math.min(${prefix}, ${value}.length)`;
      block.push(`for (let index = 0; index < ${end}; index += 1) ${array.evaluated}.add(index);`);
    }
    return block;
  });
}

/** Generates a loop that checks the items from the index `first` on against a schema. */
export function generateItemLoop(
  schema: Schema,
  array: CodegenContext,
  first: number,
  generator: CodeGenerator,
): Block {
  const index = `index${array.depth + 1}`;
  const item = childContext(array, { expression: index });
  const code = generator.generateChecks(schema, item);
  if (code.length === 0) return [];
  return [
    `for (let ${index} = ${first}; ${index} < ${array.value}.length; ${index} += 1) {`,
    [`${item.value} = ${array.value}[${index}];`, ...code],
    "}",
  ];
}

function generateContains(
  schema: Schema,
  keywords: JsonObject,
  array: CodegenContext,
  generator: CodeGenerator,
): Block {
  const contains = schema.subschema("contains");
  if (!contains) return [];
  const least = readCount(schema, keywords, "minContains") ?? 1;
  const most = readCount(schema, keywords, "maxContains");
  if (least === 0 && most === undefined && array.evaluated === undefined) return [];
  const item = { ...childContext(array, ""), scope: array.scope };
  const { name } = generator.getUnit(contains, item, false);
  const evaluated = array.evaluated === undefined ? "" : `, ${array.evaluated}`;
  const count = `${generator.useHelper("countMatching")}(${array.value}, ${name}${evaluated})`;
  const params: JsonObject = { minContains: least, ...(most === undefined ? {} : { maxContains: most }) };
  if (least === 0 && most === undefined) return [`${count};`];
  if (most === undefined) return rejectIf(`${count} < ${least}`, array, "contains", params);
  const counted = `contained${array.depth + 1}`;
  const condition = [...(least > 0 ? [`${counted} < ${least}`] : []), `${counted} > ${most}`].join(" || ");
  return ["{", [`const ${counted} = ${count};`, ...rejectIf(condition, array, "contains", params)], "}"];
}
