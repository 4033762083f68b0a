import type { DefinitionOf, PropertyDefinition, RelatedSchemas, RollupFunction, Schema } from "../schema.js";
import type { RollupSource } from "./condition.js";

/** Types of the results of rollups that are not a single number. */
const RESULT_TYPES: Readonly<Partial<Record<RollupFunction, "date" | "array">>> = {
  earliest_date: "date",
  latest_date: "date",
  date_range: "date",
  show_original: "array",
  show_unique: "array",
  count_per_group: "array",
  percent_per_group: "array",
};

export function getRollupResultType(rollupFunction: RollupFunction): "number" | "date" | "array" {
  return RESULT_TYPES[rollupFunction] ?? "number";
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
export function getRollupDatabaseIds(properties: readonly PropertyDefinition[], schema: Schema): string[] {
  const ids = properties.flatMap((property) => {
    const relation = property.type === "rollup" ? schema.byPublicId.get(property.relationId) : undefined;
    return relation?.type === "relation" ? [relation.databaseId] : [];
  });
  return [...new Set(ids)];
}
