import type { Schema } from "../../../model/schema/schema.js";
import { type Block, wrapInIf } from "./block.js";
import { type CodegenContext, reject, rejectIf } from "./context.js";
import { readSubschemaList } from "./read-keywords.js";

/** Generates `allOf` and `not`. */
export function generateCompositionKeywords(schema: Schema, context: CodegenContext): Block {
  const { generator } = context;
  const block = readSubschemaList(schema, "allOf").flatMap((each) => generator.generateChecks(each, context));
  const not = schema.subschema("not");
  if (!not) return block;
  // Properties and items that the schema of `not` evaluates do not count.
  const test = generator.generateTest(not, { ...context, evaluatedVariable: undefined });
  if (test === "false") return block;
  return [...block, ...(test === "true" ? reject(context, "not") : rejectIf(test, context, "not"))];
}

/** Generates `if`, `then` and `else`. */
export function generateConditionalKeywords(schema: Schema, context: CodegenContext): Block {
  const { generator } = context;
  const condition = schema.subschema("if");
  if (!condition) return [];
  const thenSchema = schema.subschema("then");
  const elseSchema = schema.subschema("else");
  const thenChecks = thenSchema ? generator.generateChecks(thenSchema, context) : [];
  const elseChecks = elseSchema ? generator.generateChecks(elseSchema, context) : [];
  const test = generator.generateTest(condition, context);
  if (thenChecks.length > 0 && elseChecks.length > 0)
    return [`if (${test}) {`, thenChecks, "} else {", elseChecks, "}"];
  if (thenChecks.length > 0) return wrapInIf(test, thenChecks);
  if (elseChecks.length > 0) return wrapInIf(`!(${test})`, elseChecks);
  // The test also adds the properties that the condition evaluates.
  return context.evaluatedVariable === undefined ? [] : [`${test};`];
}
