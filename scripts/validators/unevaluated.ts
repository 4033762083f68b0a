import type { JsonObject } from "../model/model.js";
import type { Analysis } from "./analysis.js";
import { type Block, when } from "./code.js";
import { eachItem } from "./arrays.js";
import { type Emitter, type Frame, inside, ofType, own } from "./frame.js";
import { noteAll, otherProperties, otherProperty } from "./objects.js";
import { below, type SchemaNode } from "./schema.js";

/**
 * Whether it depends on the value what a schema's `unevaluatedProperties` or `unevaluatedItems` is about, so that it
 * must be noted while the value is checked.
 */
export function needsNotes(node: SchemaNode, values: JsonObject, frame: Frame, analysis: Analysis): boolean {
  return (
    (own(values, "unevaluatedProperties") !== undefined &&
      analysis.evaluated(node, "properties", frame.scope, false) === undefined) ||
    (own(values, "unevaluatedItems") !== undefined &&
      analysis.evaluated(node, "items", frame.scope, false) === undefined)
  );
}

/** `unevaluatedProperties` and `unevaluatedItems`; they come after everything else. */
export function unevaluatedKeywords(
  node: SchemaNode,
  values: JsonObject,
  frame: Frame,
  emitter: Emitter,
  analysis: Analysis,
): Block {
  return [
    ...unevaluatedItems(node, values, frame, emitter, analysis),
    ...unevaluatedProperties(node, values, frame, emitter, analysis),
  ];
}

function unevaluatedItems(
  node: SchemaNode,
  values: JsonObject,
  frame: Frame,
  emitter: Emitter,
  analysis: Analysis,
): Block {
  if (own(values, "unevaluatedItems") === undefined) return [];
  const known = analysis.evaluated(node, "items", frame.scope, false);
  const schema = below(node, "unevaluatedItems");
  return ofType(frame, "array", `Array.isArray(${frame.value})`, (array) => {
    const index = `index${array.depth + 1}`;
    const note =
      array.seen === undefined
        ? []
        : [`for (let index = 0; index < ${array.value}.length; index += 1) ${array.seen}.add(index);`];
    if (known?.all) return note;
    if (known) return [...eachItem(schema, array, known.items, emitter), ...note];
    const item = inside(array, { expression: index });
    const code = emitter.schema(schema, item);
    return [
      `for (let ${index} = 0; ${index} < ${array.value}.length; ${index} += 1) {`,
      when(`!${array.seen}.has(${index})`, [`${item.value} = ${array.value}[${index}];`, ...code]),
      "}",
      ...note,
    ];
  });
}

function unevaluatedProperties(
  node: SchemaNode,
  values: JsonObject,
  frame: Frame,
  emitter: Emitter,
  analysis: Analysis,
): Block {
  if (own(values, "unevaluatedProperties") === undefined) return [];
  const known = analysis.evaluated(node, "properties", frame.scope, false);
  const schema = below(node, "unevaluatedProperties");
  return ofType(frame, "object", `${emitter.helper("isObject")}(${frame.value})`, (object) => {
    const note = noteAll(object);
    if (known?.all) return note;
    if (known) {
      const { names, patterns } = known;
      const others = otherProperties(
        schema,
        "unevaluatedProperties",
        [...names].sort(),
        [...patterns].sort(),
        object,
        emitter,
        node,
      );
      return [...others, ...note];
    }
    const key = `key${object.depth + 1}`;
    const code = otherProperty(schema, "unevaluatedProperties", object, emitter);
    return [
      `for (const ${key} in ${object.value}) {`,
      when(`!${object.seen}.has(${key})`, code),
      "}",
      ...note,
    ];
  });
}
