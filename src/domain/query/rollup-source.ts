import {
  createSchema,
  type DefinitionOf,
  getPublicId,
  type PropertyDefinition,
  type Schema,
} from "../schema.js";
import type { RollupSource } from "./condition.js";

/** The schemas of a database and of the databases that its rollups read, see getRollupDatabaseIds. */
export interface RollupContext {
  readonly schema: Schema;
  /** Returns the schema of a database; undefined when there is no such database. */
  readonly getRelatedSchema: (databaseId: string) => Schema | undefined;
}

/** Finds the source of a rollup; undefined when its relation or target property was removed. */
export function findRollupSource(
  rollup: DefinitionOf<"rollup">,
  { schema, getRelatedSchema }: RollupContext,
): RollupSource | undefined {
  const relation = schema.byPublicId.get(rollup.relationId);
  if (relation?.type !== "relation") return undefined;
  const target = getRelatedSchema(relation.databaseId)?.byPublicId.get(rollup.propertyId);
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

/** Creates a function that returns a related schema with only those properties that the rollups among `properties` read. */
export function createTargetSelector(properties: readonly PropertyDefinition[]): (schema: Schema) => Schema {
  const targetIds = new Set(properties.flatMap((each) => (each.type === "rollup" ? each.propertyId : [])));
  return ({ definitions }) =>
    createSchema(definitions.filter((definition) => targetIds.has(getPublicId(definition))));
}
