import type { RollupSource } from "../../domain/query/condition.js";
import { findRollupSource, findRollupDatabaseIds, getRollupKind } from "../../domain/query/rollup.js";
import type { PropertyDefinition, Schema } from "../../domain/schema.js";
import { findSchemas } from "../../storage/databases.js";
import { readLinkedBytes } from "../../storage/page-sizes.js";
import type { Scope } from "../scope.js";

/** Sources of rollups by the rollup's id, without rollups whose relation or target property was removed. */
export type RollupSources = ReadonlyMap<string, RollupSource>;

/** Finds the sources of the rollups among the properties of a schema. */
export async function findRollupSources(
  scope: Scope,
  schema: Schema,
  properties: readonly PropertyDefinition[],
): Promise<RollupSources> {
  const databaseIds = findRollupDatabaseIds(properties, schema);
  if (databaseIds.length === 0) return new Map();
  const related = await findSchemas(scope, databaseIds);
  const sources = properties.flatMap(
    (property) => (property.type === "rollup" && findRollupSource(property, schema, related)) || [],
  );
  return new Map(sources.map((source) => [source.rollup.id, source]));
}

/**
 * Reads the bytes that the rollups of pages load and show: the linked pages once, and once more for each rollup that
 * shows their values.
 *
 * @returns the bytes by page id
 */
export async function readRollupBytes(
  scope: Scope,
  sources: RollupSources,
  pageIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const weights = new Map<string, number>();
  for (const { relation, rollup } of sources.values()) {
    const shown = getRollupKind(rollup.function) === "array" ? 1 : 0;
    weights.set(relation.id, (weights.get(relation.id) ?? 1) + shown);
  }
  const bytesByPage = new Map<string, number>();
  for (const { pageId, relationId, bytes } of await readLinkedBytes(scope, pageIds, [...weights.keys()])) {
    bytesByPage.set(pageId, (bytesByPage.get(pageId) ?? 0) + bytes * (weights.get(relationId) ?? 1));
  }
  return bytesByPage;
}
