import { isObject } from "../../json.js";
import { walkGraph } from "../../walk-graph.js";
import { listConjuncts, listApplicators } from "./composition.js";
import type { Schema } from "./schema.js";

/** The properties or items that a schema evaluates in every valid value (JSON Schema 2020-12, section 11). */
export interface EvaluatedMembers {
  /** Whether all properties or items are evaluated. */
  all: boolean;
  names: Set<string>;
  patterns: Set<string>;
  /** Number of evaluated items at the start of the array. */
  itemCount: number;
}

/**
 * Returns the properties or items that a schema evaluates in every valid value; undefined if they depend on the value.
 *
 * @param includeUnevaluated whether the `unevaluated...` keyword of the schema itself counts
 * @param enclosing schemas that are being read, to end recursion
 */
export function findEvaluatedMembers(
  schema: Schema,
  kind: "properties" | "items",
  includeUnevaluated = true,
  enclosing: ReadonlySet<Schema> = new Set(),
): EvaluatedMembers | undefined {
  const result: EvaluatedMembers = { all: false, names: new Set(), patterns: new Set(), itemCount: 0 };
  if (!isObject(schema.value) || enclosing.has(schema)) return result;
  const trail = new Set([...enclosing, schema]);
  if (kind === "properties") {
    result.all = schema.keyword("additionalProperties") !== undefined;
    if (includeUnevaluated && schema.keyword("unevaluatedProperties") !== undefined) result.all = true;
    for (const name of schema.properties.keys()) result.names.add(name);
    for (const pattern of schema.subschemaMap("patternProperties").keys()) result.patterns.add(pattern);
  } else {
    result.all = schema.keyword("items") !== undefined;
    if (includeUnevaluated && schema.keyword("unevaluatedItems") !== undefined) result.all = true;
    result.itemCount = schema.subschemaList("prefixItems").length;
  }
  for (const part of listConjuncts(schema)) {
    const more = findEvaluatedMembers(part, kind, true, trail);
    if (!more) return undefined;
    result.all ||= more.all;
    for (const name of more.names) result.names.add(name);
    for (const pattern of more.patterns) result.patterns.add(pattern);
    result.itemCount = Math.max(result.itemCount, more.itemCount);
  }
  if (result.all) return result;
  // Which items match, and the target of a dynamic reference, are known only at run time.
  if (kind === "items" && schema.keyword("contains") !== undefined) return undefined;
  if (schema.keyword("$dynamicRef") !== undefined) return undefined;
  for (const { keyword, schema: part } of schema.subschemas()) {
    if (!BRANCHING_KEYWORDS.has(keyword)) continue;
    const more = findEvaluatedMembers(part, kind, true, trail);
    if (!more || !isEmpty(more)) return undefined;
  }
  return result;
}

function isEmpty({ all, names, patterns, itemCount }: EvaluatedMembers): boolean {
  return !all && names.size + patterns.size + itemCount === 0;
}

/** Whether a schema never evaluates a property or an item. */
export function evaluatesNothing(schema: Schema): boolean {
  return (["properties", "items"] as const).every((kind) => {
    const members = findEvaluatedMembers(schema, kind);
    return members !== undefined && isEmpty(members);
  });
}

/** Lists the properties that a schema declares, including its references, composition and conditional keywords. */
export function listDeclaredNames(schema: Schema): ReadonlySet<string> {
  const parts = [...walkGraph([schema], listApplicators)];
  return new Set(parts.flatMap(({ properties }) => [...properties.keys()]));
}

/** Keywords with schemas that apply to some values only. */
const BRANCHING_KEYWORDS: ReadonlySet<string> = new Set(
  "anyOf oneOf if then else dependentSchemas".split(" "),
);
