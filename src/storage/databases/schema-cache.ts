import { LRUCache } from "lru-cache";
import { SCHEMA_CACHE_CHARACTERS } from "../../budgets.js";
import { createSchema, type Schema } from "../../domain/schema.js";
import { getOrCreate } from "../../get-or-create.js";

/** Parsed schemas by their JSON. Cached, because parsing ten properties takes longer than reading a page. */
const schemas = new LRUCache<string, Schema>({
  maxSize: SCHEMA_CACHE_CHARACTERS,
  sizeCalculation: (_, json) => json.length,
});

/** Parses the `properties` column of a database. */
export function parseSchema(json: string): Schema {
  return getOrCreate<string, Schema>(schemas, json, () => createSchema(JSON.parse(json)));
}

export function formatSchema(schema: Schema): string {
  return JSON.stringify(schema.definitions);
}
