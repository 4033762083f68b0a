import type { JsonObject } from "../model/model.js";
import { type Block, when } from "./code.js";
import { countOf, type Emitter, type Frame, inside, lengthOf, ofType, own, refuseIf } from "./frame.js";
import { below, type SchemaNode } from "./schema.js";

/** The keywords that speak of arrays, but for `unevaluatedItems`. */
export function arrayKeywords(node: SchemaNode, values: JsonObject, frame: Frame, emitter: Emitter): Block {
  return ofType(frame, "array", `Array.isArray(${frame.value})`, (array) => {
    const { value } = array;
    const block: Block = [];
    const most = countOf(node, values, "maxItems");
    if (most !== undefined) {
      block.push(...refuseIf(`${value}.length > ${most}`, array, "maxItems", { limit: most }));
    }
    const least = countOf(node, values, "minItems");
    if (least !== undefined && least > 0) {
      block.push(...refuseIf(`${value}.length < ${least}`, array, "minItems", { limit: least }));
    }
    if (own(values, "uniqueItems") === true) {
      block.push(...refuseIf(`!${emitter.helper("isUnique")}(${value})`, array, "uniqueItems", {}));
    }
    block.push(...containsKeyword(node, values, array, emitter));
    const prefix = lengthOf(node, values, "prefixItems");
    for (let index = 0; index < prefix; index += 1) {
      const item = inside(array, String(index));
      const code = emitter.schema(below(node, "prefixItems", index), item);
      if (code.length > 0) {
        block.push(...when(`${value}.length > ${index}`, [`${item.value} = ${value}[${index}];`, ...code]));
      }
    }
    const rest = own(values, "items") !== undefined;
    if (rest) block.push(...eachItem(below(node, "items"), array, prefix, emitter));
    if (array.seen !== undefined && (rest || prefix > 0)) {
      const end = rest ? `${value}.length` : `Math.min(${prefix}, ${value}.length)`;
      block.push(`for (let index = 0; index < ${end}; index += 1) ${array.seen}.add(index);`);
    }
    return block;
  });
}

/** Holds each item from `first` on against a schema. */
export function eachItem(schema: SchemaNode, array: Frame, first: number, emitter: Emitter): Block {
  const index = `index${array.depth + 1}`;
  const item = inside(array, { expression: index });
  const code = emitter.schema(schema, item);
  if (code.length === 0) return [];
  return [
    `for (let ${index} = ${first}; ${index} < ${array.value}.length; ${index} += 1) {`,
    [`${item.value} = ${array.value}[${index}];`, ...code],
    "}",
  ];
}

function containsKeyword(node: SchemaNode, values: JsonObject, array: Frame, emitter: Emitter): Block {
  if (own(values, "contains") === undefined) return [];
  const least = countOf(node, values, "minContains") ?? 1;
  const most = countOf(node, values, "maxContains");
  if (least === 0 && most === undefined && array.seen === undefined) return [];
  const item = { ...inside(array, ""), scope: array.scope };
  const { name } = emitter.unit(below(node, "contains"), item, false);
  const seen = array.seen === undefined ? "" : `, ${array.seen}`;
  const count = `${emitter.helper("countMatching")}(${array.value}, ${name}${seen})`;
  const params: JsonObject = { minContains: least, ...(most === undefined ? {} : { maxContains: most }) };
  if (least === 0 && most === undefined) return [`${count};`];
  if (most === undefined) return refuseIf(`${count} < ${least}`, array, "contains", params);
  const counted = `contained${array.depth + 1}`;
  const condition = [...(least > 0 ? [`${counted} < ${least}`] : []), `${counted} > ${most}`].join(" || ");
  return ["{", [`const ${counted} = ${count};`, ...refuseIf(condition, array, "contains", params)], "}"];
}
