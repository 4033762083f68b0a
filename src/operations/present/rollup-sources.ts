import type { RollupSource } from "../../domain/query/condition.js";
import { findRollupSource, getRollupDatabaseIds, getRollupResultType } from "../../domain/query/rollup.js";
import type { PropertyDefinition, Schema } from "../../domain/schema.js";
import { findSchemas } from "../../storage/databases.js";
import { readLinkedBytes } from "../../storage/page-bytes.js";
import type { Scope } from "../scope.js";

/** Sources of rollups by the rollup's id, without rollups whose relation or target property was removed. */
export type RollupSources = ReadonlyMap<string, RollupSource>;

/** Loads the sources of the rollups among the properties of a schema. */
export async function loadRollupSources(
  scope: Scope,
  schema: Schema,
  properties: readonly PropertyDefinition[],
): Promise<RollupSources> {
  const databaseIds = getRollupDatabaseIds(properties, schema);
  if (databaseIds.length === 0) return new Map();
  const related = await findSchemas(scope, databaseIds);
  const sources = properties.flatMap(
    (property) => (property.type === "rollup" && findRollupSource(property, schema, related)) || [],
  );
  return new Map(sources.map((source) => [source.rollup.id, source]));
}

/**
 * Estimates the bytes that the rollups of pages need, by page id: each linked page and link once, and for each rollup either both
 * again, because it shows values, or only the links, because it computes a single value.
 */
export async function estimateRollupBytes(
  scope: Scope,
  sources: RollupSources,
  pageIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  // Numbers of rollups by relation.
  const counts = new Map<string, { arrays: number; singleValues: number }>();
  for (const { relation, rollup } of sources.values()) {
    const count = counts.get(relation.id) ?? { arrays: 0, singleValues: 0 };
    if (getRollupResultType(rollup.function) === "array") count.arrays += 1;
    else count.singleValues += 1;
    counts.set(relation.id, count);
  }
  const bytesByPage = new Map<string, number>();
  const linked = await readLinkedBytes(scope, pageIds, [...counts.keys()]);
  for (const { pageId, relationId, pageBytes, linkBytes } of linked) {
    const { arrays = 0, singleValues = 0 } = counts.get(relationId) ?? {};
    const bytes = (1 + arrays) * (pageBytes + linkBytes) + singleValues * linkBytes;
    bytesByPage.set(pageId, (bytesByPage.get(pageId) ?? 0) + bytes);
  }
  return bytesByPage;
}
