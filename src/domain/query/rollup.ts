import type { DefinitionOf, RollupFunction, Schema } from "../schema.js";
import type { RollupSource } from "./condition.js";

/** Schemas of related databases, by id. */
export type RelatedSchemas = ReadonlyMap<string, Schema>;

/** Returns the kind of value that a rollup function computes. */
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

/** Finds the source of a rollup; undefined when its relation or target property was removed. */
export function findSource(
  rollup: DefinitionOf<"rollup">,
  schema: Schema,
  related: RelatedSchemas,
): RollupSource | undefined {
  const relation = schema.byPublicId.get(rollup.relationId);
  if (relation?.type !== "relation") return undefined;
  const target = related.get(relation.databaseId)?.byPublicId.get(rollup.propertyId);
  // A rollup of a rollup is refused, but the target can become a rollup later.
  return target === undefined || target.type === "rollup" ? undefined : { rollup, target };
}

/** Returns the ids of the databases whose properties the rollups of a schema read. */
export function rollupDatabases(schema: Schema): string[] {
  const ids = new Set<string>();
  for (const property of schema.definitions) {
    if (property.type !== "rollup") continue;
    const relation = schema.byPublicId.get(property.relationId);
    if (relation?.type === "relation") ids.add(relation.databaseId);
  }
  return [...ids];
}
