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
  const relation = findRelation(rollup, schema);
  if (relation === undefined) return undefined;
  const target = getRelatedSchema(relation.databaseId)?.byPublicId.get(rollup.propertyId);
  // A rollup of a rollup is refused, but the target can become a rollup later.
  return target === undefined || target.type === "rollup" ? undefined : { rollup, relation, target };
}

function findRelation(
  { relationId }: DefinitionOf<"rollup">,
  schema: Schema,
): DefinitionOf<"relation"> | undefined {
  const relation = schema.byPublicId.get(relationId);
  return relation?.type === "relation" ? relation : undefined;
}

/** A rollup with its relation, which belong to one schema. */
export type FollowedRelation = Omit<RollupSource, "target">;

/** Lists the rollups among `properties` with their relations. Skips rollups whose relation was removed. */
export function listFollowedRelations(
  properties: readonly PropertyDefinition[],
  schema: Schema,
): FollowedRelation[] {
  return properties.flatMap((rollup) => {
    if (rollup.type !== "rollup") return [];
    const relation = findRelation(rollup, schema);
    return relation === undefined ? [] : { rollup, relation };
  });
}

/** Returns the ids of the databases that the rollups among `properties` read. */
export function getRollupDatabaseIds(properties: readonly PropertyDefinition[], schema: Schema): string[] {
  const ids = listFollowedRelations(properties, schema).map(({ relation }) => relation.databaseId);
  return [...new Set(ids)];
}

/** Creates a function that returns a related schema with only those properties that the rollups among `properties` read. */
export function createTargetSelector(properties: readonly PropertyDefinition[]): (schema: Schema) => Schema {
  const targetIds = new Set(properties.flatMap((each) => (each.type === "rollup" ? each.propertyId : [])));
  return ({ definitions }) =>
    createSchema(definitions.filter((definition) => targetIds.has(getPublicId(definition))));
}
