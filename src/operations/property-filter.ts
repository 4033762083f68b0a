import { createValidationError } from "../domain/errors.js";
import { findProperty, type PropertyDefinition, type Schema } from "../domain/schema.js";
import { abbreviate } from "../domain/text.js";

/** Names or ids of the requested properties. */
export type PropertyFilter = readonly string[];

/**
 * Finds the properties that a response shows; undefined for all properties, which some clients request with the text "null".
 * Throws a DomainError (validation) when the schema lacks one of the properties.
 */
export function resolvePropertyFilter(
  schema: Schema,
  filter: PropertyFilter | undefined,
): readonly PropertyDefinition[] | undefined {
  if (filter === undefined) return undefined;
  const isNull = filter.length === 1 && filter[0] === "null" && findProperty(schema, "null") === undefined;
  return isNull ? undefined : filter.map((key) => requireProperty(schema, key));
}

/** Finds a property by its name or id. Throws a DomainError (validation). */
export function requireProperty(schema: Schema, key: string): PropertyDefinition {
  const property = findProperty(schema, key);
  if (property === undefined) {
    throw createValidationError(`Could not find property with name or id: ${abbreviate(key)}`);
  }
  return property;
}
