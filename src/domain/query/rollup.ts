import type { DefinitionOf, RollupFunction, Schema } from "../schema.js";
import type { RollupSource } from "./condition.js";

/** The schemas of the databases that relations lead to, by id. */
export type RelatedSchemas = ReadonlyMap<string, Schema>;

/** What a rollup gives: one number, one date, or the values of all the pages. */
export function rollupKind(rollup: RollupFunction): "number" | "date" | "array" {
  switch (rollup) {
    case "earliest_date":
    case "latest_date":
    case "date_range":
      return "date";
    case "show_original":
    case "show_unique":
    case "count_per_group":
    case "percent_per_group":
      return "array";
    default:
      return "number";
  }
}

/** What a rollup is computed from; undefined when its relation or the property of the other database is gone. */
export function findSource(
  rollup: DefinitionOf<"rollup">,
  schema: Schema,
  related: RelatedSchemas,
): RollupSource | undefined {
  const relation = schema.byId.get(rollup.relationId);
  if (relation?.type !== "relation") return undefined;
  const target = related.get(relation.databaseId)?.byId.get(rollup.propertyId);
  // Rollups of rollups are refused, but the property may have become one since.
  return target === undefined || target.type === "rollup" ? undefined : { rollup, target };
}

/** The databases whose schemas the rollups of a schema need. */
export function rollupDatabases(schema: Schema): string[] {
  const ids = new Set<string>();
  for (const property of schema.definitions) {
    if (property.type !== "rollup") continue;
    const relation = schema.byId.get(property.relationId);
    if (relation?.type === "relation") ids.add(relation.databaseId);
  }
  return [...ids];
}
