import { LRUCache } from "lru-cache";
import { SCHEMA_CACHE_CHARACTERS } from "../budgets.js";
import { createSchema, type PropertyDefinition, type Schema } from "../domain/schema.js";

/** Parsed schemas by their JSON. Cached, because parsing ten properties takes longer than reading a page. */
const schemas = new LRUCache<string, Schema>({
  maxSize: SCHEMA_CACHE_CHARACTERS,
  sizeCalculation: (_, json) => json.length,
});

/** Parses the `properties` column of a database. */
export function parseSchema(json: string): Schema {
  const cached = schemas.get(json);
  if (cached !== undefined) return cached;
  const definitions: PropertyDefinition[] = JSON.parse(json);
  const schema = createSchema(definitions);
  schemas.set(json, schema);
  return schema;
}

export function formatSchema(schema: Schema): string {
  return JSON.stringify(schema.definitions);
}
