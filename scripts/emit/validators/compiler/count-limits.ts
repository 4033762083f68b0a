import type { Schema } from "../../../model/schema/schema.js";
import type { Block } from "./block.js";
import { type CodegenContext, rejectIf } from "./context.js";
import { readCount } from "./read-keywords.js";

/** Generates `maxItems` and `minItems`, or `maxProperties` and `minProperties`. */
export function generateCountLimits(
  schema: Schema,
  suffix: "Items" | "Properties",
  countExpression: string,
  context: CodegenContext,
): Block {
  const rejectCount = (operator: string, keyword: string, limit: number): Block =>
    rejectIf(`${countExpression} ${operator} ${limit}`, context, keyword, { limit });
  const max = readCount(schema, `max${suffix}`);
  const min = readCount(schema, `min${suffix}`) ?? 0;
  return [
    ...(max === undefined ? [] : rejectCount(">", `max${suffix}`, max)),
    ...(min === 0 ? [] : rejectCount("<", `min${suffix}`, min)),
  ];
}
