import type { DefinitionOf, PropertyDefinition, RelatedSchemas, RollupFunction, Schema } from "../schema.js";
import type { RollupSource } from "./condition.js";

export function getRollupKind(rollup: RollupFunction): "number" | "date" | "array" {
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
export function findRollupSource(
  rollup: DefinitionOf<"rollup">,
  schema: Schema,
  related: RelatedSchemas,
): RollupSource | undefined {
  const relation = schema.byPublicId.get(rollup.relationId);
  if (relation?.type !== "relation") return undefined;
  const target = related.get(relation.databaseId)?.byPublicId.get(rollup.propertyId);
  // A rollup of a rollup is refused, but the target can become a rollup later.
  return target === undefined || target.type === "rollup" ? undefined : { rollup, relation, target };
}

/** Returns the ids of the databases that the rollups among `properties` read. */
export function findRollupDatabaseIds(properties: readonly PropertyDefinition[], schema: Schema): string[] {
  const ids = properties.flatMap((property) => {
    const relation = property.type === "rollup" ? schema.byPublicId.get(property.relationId) : undefined;
    return relation?.type === "relation" ? [relation.databaseId] : [];
  });
  return [...new Set(ids)];
}
