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
 * Reads the bytes that the rollups of pages load and show, by page id: the linked pages once, and for each rollup either the
 * values that it shows or the links that it follows.
 */
export async function readRollupBytes(
  scope: Scope,
  sources: RollupSources,
  pageIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, { shown: number; computed: number }>();
  for (const { relation, rollup } of sources.values()) {
    const count = counts.get(relation.id) ?? { shown: 0, computed: 0 };
    if (getRollupKind(rollup.function) === "array") count.shown += 1;
    else count.computed += 1;
    counts.set(relation.id, count);
  }
  const bytesByPage = new Map<string, number>();
  const linked = await readLinkedBytes(scope, pageIds, [...counts.keys()]);
  for (const { pageId, relationId, pageBytes, linkBytes } of linked) {
    const { shown = 0, computed = 0 } = counts.get(relationId) ?? {};
    const bytes = (1 + shown) * (pageBytes + linkBytes) + computed * linkBytes;
    bytesByPage.set(pageId, (bytesByPage.get(pageId) ?? 0) + bytes);
  }
  return bytesByPage;
}
