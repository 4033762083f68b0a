import { createReachabilityTest, walkGraph } from "../../walk-graph.js";
import { listConjuncts, listInPlaceSchemas } from "./composition.js";
import type { Schema } from "./schema.js";

/** The properties or items that a schema evaluates in every valid value (JSON Schema 2020-12, section 11). */
interface EvaluatedMembers {
  /** Whether all properties or items are evaluated. */
  all: boolean;
  names: Set<string>;
  patterns: Set<string>;
  /** Number of evaluated items at the start of the array. */
  itemCount: number;
}

const KINDS = ["properties", "items"] as const;
type Kind = (typeof KINDS)[number];

/** The keywords that evaluate all remaining properties or items. */
const CATCH_ALL_KEYWORDS = {
  properties: ["additionalProperties", "unevaluatedProperties"],
  items: ["items", "unevaluatedItems"],
} as const;

/** Returns the members that a schema evaluates in every value, except by its own `unevaluated...`; undefined if they vary. */
export function findEvaluatedMembers(schema: Schema, kind: Kind): EvaluatedMembers | undefined {
  const result = createEmptyMembers();
  const conjuncts = new Set<Schema>();
  for (const each of walkGraph([schema], listConjuncts)) {
    addOwnMembers(each, kind, each !== schema, result);
    if (result.all) return result;
    conjuncts.add(each);
  }
  for (const each of walkGraph(conjuncts, listInPlaceSchemas)) {
    // The other schemas, such as branches of a union, apply to some values only.
    const isConditional = !conjuncts.has(each) && evaluatesOwnMembers(each, kind);
    if (isConditional || dependsOnValue(each, kind)) return undefined;
  }
  return result;
}

/** Whether a schema's own keywords evaluate members that are known only at run time: matching items, or a dynamic reference. */
function dependsOnValue(schema: Schema, kind: Kind): boolean {
  const keywords = kind === "items" ? ["contains", "$dynamicRef"] : ["$dynamicRef"];
  return keywords.some((keyword) => schema.keyword(keyword) !== undefined);
}

function evaluatesOwnMembers(schema: Schema, kind: Kind): boolean {
  const members = createEmptyMembers();
  addOwnMembers(schema, kind, true, members);
  return members.all || members.names.size + members.patterns.size + members.itemCount > 0;
}

function createEmptyMembers(): EvaluatedMembers {
  return { all: false, names: new Set(), patterns: new Set(), itemCount: 0 };
}

/** Adds the properties or items that a schema's own keywords evaluate. */
function addOwnMembers(
  schema: Schema,
  kind: Kind,
  includeUnevaluated: boolean,
  result: EvaluatedMembers,
): void {
  const [additional, unevaluated] = CATCH_ALL_KEYWORDS[kind];
  result.all ||= schema.keyword(additional) !== undefined;
  result.all ||= includeUnevaluated && schema.keyword(unevaluated) !== undefined;
  if (kind === "items") {
    result.itemCount = Math.max(result.itemCount, schema.subschemaList("prefixItems").length);
    return;
  }
  for (const name of schema.properties.keys()) result.names.add(name);
  for (const pattern of schema.subschemaMap("patternProperties").keys()) result.patterns.add(pattern);
}

/** Whether a schema evaluates a property or an item of some values. */
export const evaluatesMembers = createReachabilityTest(listInPlaceSchemas, (schema: Schema) =>
  KINDS.some((kind) => evaluatesOwnMembers(schema, kind) || dependsOnValue(schema, kind)),
);

/** Lists the properties that a schema declares, including its references, composition and conditional keywords. */
export function listDeclaredNames(schema: Schema): ReadonlySet<string> {
  const parts = [...walkGraph([schema], listInPlaceSchemas)];
  return new Set(parts.flatMap(({ properties }) => [...properties.keys()]));
}
