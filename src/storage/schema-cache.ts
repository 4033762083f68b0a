import { makeSchema, type PropertyDefinition, type Schema } from "../domain/schema.js";

const MAX_SCHEMAS = 256;
const schemas = new Map<string, Schema>();

/**
 * Parses the `properties` column of a database. Most reads meet a schema that was met before, so the last
 * ones are kept by their text, which makes them right for ever.
 */
export function parseSchema(json: string): Schema {
  const known = schemas.get(json);
  if (known !== undefined) return known;
  const definitions: PropertyDefinition[] = JSON.parse(json);
  const schema = makeSchema(definitions);
  if (schemas.size >= MAX_SCHEMAS) schemas.clear();
  schemas.set(json, schema);
  return schema;
}

/** The text of the `properties` column for a schema. */
export function formatSchema(schema: Schema): string {
  return JSON.stringify(schema.definitions);
}
