import type { JsonObject } from "../../../model/model.js";
import { listDeclaredNames, findEvaluatedMembers } from "../../../model/schema/composition.js";
import { type Block, wrapInIf } from "./code.js";
import { generateItemLoop } from "./arrays.js";
import {
  ALL_VALID,
  type CodeGenerator,
  type CodegenContext,
  childContext,
  whenType,
  readKeyword,
} from "./context.js";
import {
  addNamesConstant,
  generateMarkAllEvaluated,
  generateOtherProperties,
  generateOtherProperty,
} from "./objects.js";
import type { Schema } from "../../../model/schema/schema.js";

/**
 * Whether a function must track evaluated properties or items at run time, because those that `unevaluatedProperties` or
 * `unevaluatedItems` applies to depend on the value.
 */
export function mustTrackEvaluated(schema: Schema, keywords: JsonObject): boolean {
  return (
    (readKeyword(keywords, "unevaluatedProperties") !== undefined &&
      findEvaluatedMembers(schema, "properties", false) === undefined) ||
    (readKeyword(keywords, "unevaluatedItems") !== undefined &&
      findEvaluatedMembers(schema, "items", false) === undefined)
  );
}

/** Generates `unevaluatedProperties` and `unevaluatedItems`, which depend on all other keywords. */
export function generateUnevaluatedKeywords(
  schema: Schema,
  context: CodegenContext,
  generator: CodeGenerator,
): Block {
  return [
    ...generateUnevaluatedItems(schema, context, generator),
    ...generateUnevaluatedProperties(schema, context, generator),
  ];
}

function generateUnevaluatedItems(schema: Schema, context: CodegenContext, generator: CodeGenerator): Block {
  const subschema = schema.subschema("unevaluatedItems");
  if (!subschema) return [];
  const known = findEvaluatedMembers(schema, "items", false);
  return whenType(context, "array", `Array.isArray(${context.value})`, (array) => {
    const index = `index${array.depth + 1}`;
    const markEvaluated =
      array.evaluated === undefined
        ? []
        : [`for (let index = 0; index < ${array.value}.length; index += 1) ${array.evaluated}.add(index);`];
    if (known?.all) return markEvaluated;
    if (known) return [...generateItemLoop(subschema, array, known.items, generator), ...markEvaluated];
    const item = childContext(array, { expression: index });
    const code = generator.generateChecks(subschema, item);
    return [
      `for (let ${index} = 0; ${index} < ${array.value}.length; ${index} += 1) {`,
      wrapInIf(`!${array.evaluated}.has(${index})`, [`${item.value} = ${array.value}[${index}];`, ...code]),
      "}",
      ...markEvaluated,
    ];
  });
}

function generateUnevaluatedProperties(
  schema: Schema,
  context: CodegenContext,
  generator: CodeGenerator,
): Block {
  const subschema = schema.subschema("unevaluatedProperties");
  if (!subschema) return [];
  const known = findEvaluatedMembers(schema, "properties", false);
  return whenType(context, "object", `${generator.useHelper("isObject")}(${context.value})`, (object) => {
    const markEvaluated = generateMarkAllEvaluated(object);
    if (known?.all) return markEvaluated;
    if (known) {
      const { names, patterns } = known;
      const others = generateOtherProperties(
        subschema,
        "unevaluatedProperties",
        [...names].sort(),
        [...patterns].sort(),
        object,
        generator,
        schema,
      );
      return [...others, ...markEvaluated];
    }
    const key = `key${object.depth + 1}`;
    const names = object.unit.reportsAll ? [...listDeclaredNames(schema)].sort() : [];
    const list =
      names.length > 0 ? addNamesConstant(schema, "unevaluatedProperties", names, generator) : undefined;
    const code = generateOtherProperty(subschema, "unevaluatedProperties", object, generator, list);
    const loop: Block = [
      `for (const ${key} in ${object.value}) {`,
      wrapInIf(`!${object.evaluated}.has(${key})`, code),
      "}",
      ...markEvaluated,
    ];
    // After other errors, properties are unevaluated only because a subschema did not fit.
    return object.unit.reportsAll ? wrapInIf(ALL_VALID, loop) : loop;
  });
}
