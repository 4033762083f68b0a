/** The property types that a database can have. */
export type PropertyType = "title" | "rich_text" | "number" | "checkbox";

/** One property of a database. */
export interface PropertyDefinition {
  /** Raw, as stored; responses show it percent-encoded. `title` for the title property. */
  readonly id: string;
  readonly name: string;
  readonly type: PropertyType;
}

/** The properties of a database, in order, with the look-ups that reading and writing pages need. */
export interface Schema {
  readonly definitions: readonly PropertyDefinition[];
  readonly byName: ReadonlyMap<string, PropertyDefinition>;
  readonly byId: ReadonlyMap<string, PropertyDefinition>;
}

/** Builds a schema. Maps, not objects: a property may be called `__proto__` or `constructor`. */
export function makeSchema(definitions: readonly PropertyDefinition[]): Schema {
  return {
    definitions,
    byName: new Map(definitions.map((definition) => [definition.name, definition])),
    byId: new Map(definitions.map((definition) => [definition.id, definition])),
  };
}

/**
 * Finds the property that a key of a request means.
 *
 * @param key A property's name, its id, or its id percent-encoded; a name wins over an id.
 */
export function findProperty(schema: Schema, key: string): PropertyDefinition | undefined {
  const found = schema.byName.get(key) ?? schema.byId.get(key);
  if (found !== undefined || !key.includes("%")) return found;
  try {
    return schema.byId.get(decodeURIComponent(key));
  } catch {
    // A stray percent sign: not an encoded id, and so not the key of any property.
    return undefined;
  }
}
