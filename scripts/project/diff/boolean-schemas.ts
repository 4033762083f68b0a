import type { LoadedDocument } from "../../load/load.js";
import { parsePointer, escapePointer } from "../../json.js";
import { type Node, deref, listChildren } from "../../model/node.js";
import { getKindOfMember, type ValueKind } from "../../model/schema/keywords.js";
import { type Change, createSide } from "./change.js";
import type { Directions } from "./directions.js";

/**
 * Finds the boolean schemas in lists, such as `anyOf: [true]`, that became the other one. `redocly diff` ignores list items
 * that are not objects.
 *
 * @returns changes with the impact `patch`, which `applyBreakingChangeRules` raises
 */
export function findChangedBooleansInLists(
  oldDocument: LoadedDocument,
  newDocument: LoadedDocument,
): Change[] {
  const changes: Change[] = [];
  const visited = new Set<string>();

  function compare(oldNode: Node, newNode: Node, path: string, kind: ValueKind): void {
    const oldTarget = deref(oldDocument.document, oldNode);
    const newTarget = deref(newDocument.document, newNode);
    const pair = `${oldTarget?.pointer} ${newTarget?.pointer}`;
    if (!oldTarget || !newTarget || kind === "data" || visited.has(pair)) return;
    visited.add(pair);
    const counterparts = new Map(listChildren(newTarget));
    for (const [key, child] of listChildren(oldTarget)) {
      const counterpart = counterparts.get(key);
      if (!counterpart) continue;
      const childPath = `${path}/${escapePointer(key)}`;
      const childKind = getKindOfMember(kind, key);
      compare(child, counterpart, childPath, childKind);
      const isItem = Array.isArray(oldTarget.value) && childKind === "schema";
      const isBoolean = [child, counterpart].every(({ value }) => typeof value === "boolean");
      if (!isItem || !isBoolean || child.value === counterpart.value) continue;
      changes.push({
        kind: "modified",
        impact: "patch",
        path: `#${childPath}`,
        reasons: [],
        base: createSide(oldDocument, child.pointer, child.value),
        revision: createSide(newDocument, counterpart.pointer, counterpart.value),
      });
    }
  }

  const getRoot = ({ document }: LoadedDocument): Node => ({ value: document, pointer: "" });
  compare(getRoot(oldDocument), getRoot(newDocument), "", "document");
  return changes;
}

/**
 * Explains why a schema that became `false`, or no longer is, breaks requests or responses. Below `not`, the same is true
 * of `true`.
 *
 * @returns undefined if nothing breaks, or for any other change
 */
export function explainBooleanSchema(
  { base, revision }: Change,
  { request, response }: Directions,
): string | undefined {
  if (!base || !revision) return undefined;
  const effect = findEffect(revision.pointer);
  if (effect === undefined) return undefined;
  // The boolean schema that makes every value invalid.
  const refusingSchema = effect === "opposite";
  const becameRefusing = revision.value === refusingSchema;
  if (becameRefusing === (base.value === refusingSchema)) return undefined;
  const subject = `The schema${refusingSchema ? " below `not`" : ""} ${becameRefusing ? "became" : "is no longer"} ${refusingSchema}`;
  if (effect === "unknown")
    return request || response ? `${subject}, so \`oneOf\` or \`if\` allows other values here.` : undefined;
  if (becameRefusing)
    return request ? `${subject}, so requests can no longer contain a value here.` : undefined;
  return response ? `${subject}, so responses can contain a value here.` : undefined;
}

/**
 * Determines how a subschema affects the schema around it. The values that it refuses are refused (`same`), allowed
 * (`opposite`, below `not`), or one of these, depending on the value (`unknown`, below `oneOf` and `if`).
 *
 * @returns undefined if the pointer does not lead to a schema
 */
function findEffect(pointer: string): "same" | "opposite" | "unknown" | undefined {
  let kind: ValueKind = "document";
  let effect: "same" | "opposite" | "unknown" = "same";
  for (const key of parsePointer(pointer)) {
    if (kind === "schema" && (key === "oneOf" || key === "if")) effect = "unknown";
    if (kind === "schema" && key === "not" && effect !== "unknown")
      effect = effect === "same" ? "opposite" : "same";
    kind = getKindOfMember(kind, key);
  }
  return kind === "schema" ? effect : undefined;
}
