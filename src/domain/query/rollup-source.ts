import type { DefinitionOf, PropertyDefinition, RelatedSchemas, Schema } from "../schema.js";
import type { RollupSource } from "./condition.js";

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
