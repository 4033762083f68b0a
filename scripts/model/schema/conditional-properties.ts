import { getOrCreate } from "../../maps.js";
import { collectDeclaredProperties } from "./composition.js";
import type { Schema } from "./schema.js";
import { walkGraph } from "../../walk-graph.js";

/**
 * Collects the properties that are declared only in `dependentSchemas`, or in one of `then` and `else` without the other. None for a member
 * of `allOf`: only the schema with the `allOf` knows which properties the other members declare.
 */
export function collectConditionalProperties(schema: Schema): ReadonlyMap<string, readonly Schema[]> {
  const conditions = /\/allOf\/\d+$/.test(schema.pointer) ? [] : listConditionalSchemas(schema);
  if (conditions.length === 0) return new Map();
  const declared = collectDeclaredProperties(schema);
  const properties = new Map<string, Schema[]>();
  for (const condition of walkGraph(conditions, listConditionalSchemas)) {
    for (const [name, schemas] of collectDeclaredProperties(condition))
      if (!declared.has(name)) getOrCreate(properties, name, (): Schema[] => []).push(...schemas);
  }
  return properties;
}

/** Lists the conditional schemas of a schema and of its inline `allOf` members. */
function listConditionalSchemas(schema: Schema): Schema[] {
  const then = schema.subschema("then");
  const otherwise = schema.subschema("else");
  const loneBranch = then && otherwise ? undefined : (then ?? otherwise);
  return [
    ...(loneBranch ? [loneBranch] : []),
    ...schema.subschemaMap("dependentSchemas").values(),
    ...schema.subschemaList("allOf").flatMap(listConditionalSchemas),
  ];
}
