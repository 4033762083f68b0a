import type { JsonObject } from "../../../model/model.js";
import { type Block, when } from "./code.js";
import {
  countKeyword,
  type CodeGenerator,
  type CodegenContext,
  childContext,
  schemaList,
  whenType,
  keywordValue,
  rejectIf,
} from "./context.js";
import type { Schema } from "../../../model/schema/schema.js";

/** Generates the keywords of arrays, except `unevaluatedItems`. */
export function arrayKeywords(
  node: Schema,
  values: JsonObject,
  context: CodegenContext,
  generator: CodeGenerator,
): Block {
  return whenType(context, "array", `Array.isArray(${context.value})`, (array) => {
    const { value } = array;
    const block: Block = [];
    const most = countKeyword(node, values, "maxItems");
    if (most !== undefined) {
      block.push(...rejectIf(`${value}.length > ${most}`, array, "maxItems", { limit: most }));
    }
    const least = countKeyword(node, values, "minItems");
    if (least !== undefined && least > 0) {
      block.push(...rejectIf(`${value}.length < ${least}`, array, "minItems", { limit: least }));
    }
    if (keywordValue(values, "uniqueItems") === true) {
      block.push(...rejectIf(`!${generator.helper("isUnique")}(${value})`, array, "uniqueItems", {}));
    }
    block.push(...containsKeyword(node, values, array, generator));
    const first = schemaList(node, "prefixItems");
    const prefix = first.length;
    for (const [index, schema] of first.entries()) {
      const item = childContext(array, String(index));
      const code = generator.schema(schema, item);
      if (code.length > 0) {
        block.push(...when(`${value}.length > ${index}`, [`${item.value} = ${value}[${index}];`, ...code]));
      }
    }
    const rest = node.subschema("items");
    if (rest) block.push(...eachItem(rest, array, prefix, generator));
    if (array.evaluated !== undefined && (rest || prefix > 0)) {
      const end = rest ? `${value}.length` : `Math.min(${prefix}, ${value}.length)`;
      block.push(`for (let index = 0; index < ${end}; index += 1) ${array.evaluated}.add(index);`);
    }
    return block;
  });
}

/** Checks the items from the index `first` on against a schema. */
export function eachItem(
  schema: Schema,
  array: CodegenContext,
  first: number,
  generator: CodeGenerator,
): Block {
  const index = `index${array.depth + 1}`;
  const item = childContext(array, { expression: index });
  const code = generator.schema(schema, item);
  if (code.length === 0) return [];
  return [
    `for (let ${index} = ${first}; ${index} < ${array.value}.length; ${index} += 1) {`,
    [`${item.value} = ${array.value}[${index}];`, ...code],
    "}",
  ];
}

function containsKeyword(
  node: Schema,
  values: JsonObject,
  array: CodegenContext,
  generator: CodeGenerator,
): Block {
  const contains = node.subschema("contains");
  if (!contains) return [];
  const least = countKeyword(node, values, "minContains") ?? 1;
  const most = countKeyword(node, values, "maxContains");
  if (least === 0 && most === undefined && array.evaluated === undefined) return [];
  const item = { ...childContext(array, ""), scope: array.scope };
  const { name } = generator.unit(contains, item, false);
  const evaluated = array.evaluated === undefined ? "" : `, ${array.evaluated}`;
  const count = `${generator.helper("countMatching")}(${array.value}, ${name}${evaluated})`;
  const params: JsonObject = { minContains: least, ...(most === undefined ? {} : { maxContains: most }) };
  if (least === 0 && most === undefined) return [`${count};`];
  if (most === undefined) return rejectIf(`${count} < ${least}`, array, "contains", params);
  const counted = `contained${array.depth + 1}`;
  const condition = [...(least > 0 ? [`${counted} < ${least}`] : []), `${counted} > ${most}`].join(" || ");
  return ["{", [`const ${counted} = ${count};`, ...rejectIf(condition, array, "contains", params)], "}"];
}
