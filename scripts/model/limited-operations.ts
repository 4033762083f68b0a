import { createMeasure, limitExpansion, MIN_EXPANSION_LIMIT } from "../expansion.js";
import { walkGraph } from "../walk-graph.js";
import type { BuildContext } from "./context.js";
import type { Operation } from "./model.js";
import { Schema } from "./schema/schema.js";

/**
 * Builds operations one after the other. Reports the first one with which `$ref`s repeat parts so often that the code would be far
 * longer than the document, and builds no others.
 */
export function buildLimitedOperations<Draft>(
  drafts: readonly Draft[],
  build: (draft: Draft) => Operation,
  { document, error }: BuildContext,
): Operation[] {
  const measure = createMeasure(listRepeated);
  const operations: Operation[] = [];
  let limit = MIN_EXPANSION_LIMIT;
  let size = 0;
  for (const draft of drafts) {
    const operation = build(draft);
    operations.push(operation);
    size += measure(operation);
    // Rarely necessary, because it takes long.
    if (size > limit) limit = limitExpansion(measureWritten(document));
    if (size <= limit) continue;
    error(
      operation.pointer,
      `The operations up to this one stand for more than ${limit} characters, because $refs repeat parts of the document. Move inline schemas to \`components.schemas\`, or split the API into several documents.`,
    );
    break;
  }
  return operations;
}

/** Counts the characters of the different texts and names in a document, and one for each other value that it does not share. */
function measureWritten(document: object): number {
  const listMembers = (value: unknown): unknown[] =>
    typeof value === "object" && value !== null ? Object.entries(value).flat() : [];
  const values = [...walkGraph<unknown>([document], listMembers)];
  return values.reduce<number>((size, value) => size + (typeof value === "string" ? value.length : 1), 0);
}

/** Lists the members of a part of the model that the code of each operation repeats. */
function listRepeated(part: object): [string, unknown][] {
  if (part instanceof Schema) {
    // The types of other components have names, to which the code of operations refers.
    const isNamed = /^\/components\/(?!callbacks|pathItems)/.test(part.pointer);
    return isNamed ? [] : [["", part.value]];
  }
  const isMediaType = "kind" in part;
  // The code of operations does not repeat the description of a body or response that is a component.
  const isNamed = "mediaTypes" in part && Reflect.get(part, "component") !== undefined;
  return Object.entries(part).filter(
    ([name]) =>
      name !== "servers" && !(isMediaType && name === "examples") && !(isNamed && name === "description"),
  );
}
