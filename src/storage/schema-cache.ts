import { makeSchema, plainProperty, type PropertyDefinition, type Schema } from "../domain/schema.js";

const MAX_SCHEMAS = 256;
const schemas = new Map<string, Schema>();

/**
 * Parses the `properties` column of a database. Most reads meet a schema that was met before, so the last
 * ones are kept by their text, which makes them right for ever.
 */
export function parseSchema(json: string): Schema {
  const known = schemas.get(json);
  if (known !== undefined) return known;
  const stored: StoredDefinition[] = JSON.parse(json);
  const schema = makeSchema(stored.map(toDefinition));
  if (schemas.size >= MAX_SCHEMAS) schemas.clear();
  schemas.set(json, schema);
  return schema;
}

/** A definition as it is stored; earlier versions knew neither descriptions nor formats, and only some types. */
type StoredDefinition =
  | PropertyDefinition
  | {
      readonly id: string;
      readonly name: string;
      readonly type: "title" | "rich_text" | "number" | "checkbox";
      readonly description?: undefined;
    };

function toDefinition(stored: StoredDefinition): PropertyDefinition {
  return stored.description === undefined ? plainProperty(stored.id, stored.name, stored.type) : stored;
}

/** The text of the `properties` column for a schema. */
export function formatSchema(schema: Schema): string {
  return JSON.stringify(schema.definitions);
}
