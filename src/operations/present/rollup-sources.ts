import type { RollupSource } from "../../domain/query/condition.js";
import { getRollupResultType } from "../../domain/properties/compute-rollup.js";
import {
  createTargetSelector,
  findRollupSource,
  type FollowedRelation,
  getRollupDatabaseIds,
} from "../../domain/query/rollup-source.js";
import type { PropertyDefinition, Schema } from "../../domain/schema.js";
import { getIds } from "../../lists.js";
import { findSchemaParts } from "../../storage/databases/databases.js";
import { readLinkedBytes } from "../../storage/pages/page-bytes.js";
import type { Scope } from "../execution/scope.js";

export interface RollupSources {
  /** Sources by the id of the rollup. A rollup whose relation or target property was removed has none. */
  readonly byRollupId: ReadonlyMap<string, RollupSource>;
  /** Ids of the rollups whose sources were not read, because the schemas of all sources together are too large. */
  readonly incompleteIds: ReadonlySet<string>;
}

const NO_SOURCES: RollupSources = { byRollupId: new Map(), incompleteIds: new Set() };

/** Loads the sources of the rollups among the properties of a schema. */
export async function loadRollupSources(
  scope: Scope,
  schema: Schema,
  properties: readonly PropertyDefinition[],
): Promise<RollupSources> {
  const databaseIds = getRollupDatabaseIds(properties, schema);
  if (databaseIds.length === 0) return NO_SOURCES;
  const { schemas, skippedIds } = await findSchemaParts(scope, databaseIds, createTargetSelector(properties));
  const context = { schema, getRelatedSchema: (id: string) => schemas.get(id) };
  const sources = properties.flatMap(
    (property) => (property.type === "rollup" && findRollupSource(property, context)) || [],
  );
  const wasSkipped = (property: PropertyDefinition): boolean =>
    getRollupDatabaseIds([property], schema).some((id) => skippedIds.has(id));
  return {
    byRollupId: new Map(sources.map((source) => [source.rollup.id, source])),
    incompleteIds: new Set(getIds(properties.filter(wasSkipped))),
  };
}

/**
 * Estimates the memory of the rollups of pages in bytes, by page id. Linked pages count once, and again for each rollup that lists
 * their values. Links count once, and again for each rollup of their relation.
 */
export async function estimateRollupBytes(
  scope: Scope,
  followedRelations: Iterable<FollowedRelation>,
  pageIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  /** Factors by which the bytes of linked pages and of links count, by the id of the relation. */
  const factorsByRelation = new Map<string, { page: number; link: number }>();
  for (const { relation, rollup } of followedRelations) {
    const factors = factorsByRelation.get(relation.id) ?? { page: 1, link: 1 };
    if (getRollupResultType(rollup.function) === "array") factors.page += 1;
    factors.link += 1;
    factorsByRelation.set(relation.id, factors);
  }
  const bytesById = new Map<string, number>();
  const linkedBytes = await readLinkedBytes(scope, pageIds, [...factorsByRelation.keys()]);
  for (const { pageId, relationId, pageBytes, linkBytes } of linkedBytes) {
    const { page = 0, link = 0 } = factorsByRelation.get(relationId) ?? {};
    bytesById.set(pageId, (bytesById.get(pageId) ?? 0) + page * pageBytes + link * linkBytes);
  }
  return bytesById;
}
