import type { JsonObject } from "../../../model/model.js";
import { listDeclaredNames, findEvaluatedMembers } from "../../../model/schema/composition.js";
import { type Block, when } from "./code.js";
import { eachItem } from "./arrays.js";
import {
  ALL_VALID,
  type CodeGenerator,
  type CodegenContext,
  childContext,
  whenType,
  keywordValue,
} from "./context.js";
import { namesConstant, markAllEvaluated, otherProperties, otherProperty } from "./objects.js";
import type { Schema } from "../../../model/schema/schema.js";

/**
 * Whether a function must track evaluated properties or items at run time, because those that `unevaluatedProperties` or
 * `unevaluatedItems` applies to depend on the value.
 */
export function tracksEvaluated(node: Schema, values: JsonObject): boolean {
  return (
    (keywordValue(values, "unevaluatedProperties") !== undefined &&
      findEvaluatedMembers(node, "properties", false) === undefined) ||
    (keywordValue(values, "unevaluatedItems") !== undefined &&
      findEvaluatedMembers(node, "items", false) === undefined)
  );
}

/** Generates `unevaluatedProperties` and `unevaluatedItems`, which come after all other keywords. */
export function unevaluatedKeywords(node: Schema, context: CodegenContext, generator: CodeGenerator): Block {
  return [...unevaluatedItems(node, context, generator), ...unevaluatedProperties(node, context, generator)];
}

function unevaluatedItems(node: Schema, context: CodegenContext, generator: CodeGenerator): Block {
  const schema = node.subschema("unevaluatedItems");
  if (!schema) return [];
  const known = findEvaluatedMembers(node, "items", false);
  return whenType(context, "array", `Array.isArray(${context.value})`, (array) => {
    const index = `index${array.depth + 1}`;
    const note =
      array.evaluated === undefined
        ? []
        : [`for (let index = 0; index < ${array.value}.length; index += 1) ${array.evaluated}.add(index);`];
    if (known?.all) return note;
    if (known) return [...eachItem(schema, array, known.items, generator), ...note];
    const item = childContext(array, { expression: index });
    const code = generator.schema(schema, item);
    return [
      `for (let ${index} = 0; ${index} < ${array.value}.length; ${index} += 1) {`,
      when(`!${array.evaluated}.has(${index})`, [`${item.value} = ${array.value}[${index}];`, ...code]),
      "}",
      ...note,
    ];
  });
}

function unevaluatedProperties(node: Schema, context: CodegenContext, generator: CodeGenerator): Block {
  const schema = node.subschema("unevaluatedProperties");
  if (!schema) return [];
  const known = findEvaluatedMembers(node, "properties", false);
  return whenType(context, "object", `${generator.helper("isObject")}(${context.value})`, (object) => {
    const note = markAllEvaluated(object);
    if (known?.all) return note;
    if (known) {
      const { names, patterns } = known;
      const others = otherProperties(
        schema,
        "unevaluatedProperties",
        [...names].sort(),
        [...patterns].sort(),
        object,
        generator,
        node,
      );
      return [...others, ...note];
    }
    const key = `key${object.depth + 1}`;
    const names = object.unit.reportsAll ? [...listDeclaredNames(node)].sort() : [];
    const list =
      names.length > 0 ? namesConstant(node, "unevaluatedProperties", names, generator) : undefined;
    const code = otherProperty(schema, "unevaluatedProperties", object, generator, list);
    const loop: Block = [
      `for (const ${key} in ${object.value}) {`,
      when(`!${object.evaluated}.has(${key})`, code),
      "}",
      ...note,
    ];
    // After other errors, properties are unevaluated only because a subschema did not fit.
    return object.unit.reportsAll ? when(ALL_VALID, loop) : loop;
  });
}
