import { listDeclaredNames, findEvaluatedMembers } from "../../../model/schema/composition.js";
import { type Block, wrapInIf } from "./block.js";
import { generateItemLoop } from "./arrays.js";
import { ALL_VALID, type CodegenContext, createChildContext, whenType } from "./context.js";
import {
  addNamesConstant,
  generateMarkAllEvaluated,
  generateOtherProperties,
  generateOtherProperty,
  getKeyVariable,
} from "./objects.js";
import type { Schema } from "../../../model/schema/schema.js";

/**
 * Whether a function must track evaluated properties or items at run time, because those that `unevaluatedProperties` or
 * `unevaluatedItems` applies to depend on the value.
 */
export function mustTrackEvaluated(schema: Schema): boolean {
  return (
    (schema.keyword("unevaluatedProperties") !== undefined &&
      findEvaluatedMembers(schema, "properties", false) === undefined) ||
    (schema.keyword("unevaluatedItems") !== undefined &&
      findEvaluatedMembers(schema, "items", false) === undefined)
  );
}

/** Generates `unevaluatedProperties` and `unevaluatedItems`, which depend on all other keywords. */
export function generateUnevaluatedKeywords(schema: Schema, context: CodegenContext): Block {
  return [...generateUnevaluatedItems(schema, context), ...generateUnevaluatedProperties(schema, context)];
}

function generateUnevaluatedItems(schema: Schema, context: CodegenContext): Block {
  const subschema = schema.subschema("unevaluatedItems");
  if (!subschema) return [];
  const known = findEvaluatedMembers(schema, "items", false);
  return whenType(context, "array", (array) => {
    const index = `index${array.depth + 1}`;
    const markEvaluated =
      array.evaluated === undefined
        ? []
        : [`for (let index = 0; index < ${array.value}.length; index += 1) ${array.evaluated}.add(index);`];
    if (known?.all) return markEvaluated;
    if (known) return [...generateItemLoop(subschema, array, known.items), ...markEvaluated];
    const item = createChildContext(array, { expression: index });
    const code = array.generator.generateChecks(subschema, item);
    return [
      `for (let ${index} = 0; ${index} < ${array.value}.length; ${index} += 1) {`,
      wrapInIf(`!${array.evaluated}.has(${index})`, [`${item.value} = ${array.value}[${index}];`, ...code]),
      "}",
      ...markEvaluated,
    ];
  });
}

function generateUnevaluatedProperties(schema: Schema, context: CodegenContext): Block {
  const keyword = "unevaluatedProperties";
  const subschema = schema.subschema(keyword);
  if (!subschema) return [];
  const known = findEvaluatedMembers(schema, "properties", false);
  return whenType(context, "object", (object) => {
    const markEvaluated = generateMarkAllEvaluated(object);
    if (known?.all) return markEvaluated;
    if (known) {
      const { names, patterns } = known;
      const others = generateOtherProperties(
        schema,
        keyword,
        subschema,
        [...names].sort(),
        [...patterns].sort(),
        object,
      );
      return [...others, ...markEvaluated];
    }
    const key = getKeyVariable(object);
    const names = object.generator.reportsAll ? [...listDeclaredNames(schema)].sort() : [];
    const list = names.length > 0 ? addNamesConstant(schema, keyword, names, object) : undefined;
    const code = generateOtherProperty(subschema, keyword, object, list);
    const loop: Block = [
      `for (const ${key} in ${object.value}) {`,
      wrapInIf(`!${object.evaluated}.has(${key})`, code),
      "}",
      ...markEvaluated,
    ];
    // After other errors, properties are unevaluated only because a subschema did not fit.
    return object.generator.reportsAll ? wrapInIf(ALL_VALID, loop) : loop;
  });
}
