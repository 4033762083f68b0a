import { collectDeclaredProperties } from "../../model/schema/composition.js";
import type { Schema } from "../../model/schema/schema.js";

const NONE: ReadonlyMap<string, readonly Schema[]> = new Map();

/**
 * Lists the properties that only conditional schemas declare: `dependentSchemas`, and `then` without `else` or the other
 * way round. With both, they are the branches of a union. A schema lists those of its `allOf` members, too, because these
 * do not know which properties the other members declare.
 */
export function listConditionalProperties(schema: Schema): ReadonlyMap<string, readonly Schema[]> {
  const conditions = /\/allOf\/\d+$/.test(schema.pointer) ? [] : listConditions(schema);
  if (conditions.length === 0) return NONE;
  const declared = collectDeclaredProperties(schema);
  const found = new Map<string, Schema[]>();
  // A set also iterates over the schemas that the loop adds.
  const reached = new Set(conditions);
  for (const condition of reached) {
    for (const [name, schemas] of collectDeclaredProperties(condition))
      if (!declared.has(name)) found.set(name, [...(found.get(name) ?? []), ...schemas]);
    for (const inner of listConditions(condition)) reached.add(inner);
  }
  return found;
}

/** Lists the conditional schemas of a schema and of its inline `allOf` members. */
function listConditions(schema: Schema): Schema[] {
  const then = schema.subschema("then");
  const otherwise = schema.subschema("else");
  const only = then && otherwise ? undefined : (then ?? otherwise);
  return [
    ...(only ? [only] : []),
    ...schema.subschemaMap("dependentSchemas").values(),
    ...schema.subschemaList("allOf").flatMap(listConditions),
  ];
}
