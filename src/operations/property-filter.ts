import { findProperty, type PropertyDefinition, requireProperty, type Schema } from "../domain/schema.js";

/**
 * Finds the properties that a response shows; undefined for all properties, which some clients request with the text "null".
 * Throws a DomainError (validation) when the schema lacks one of the properties.
 */
export function resolvePropertyFilter(
  schema: Schema,
  filter: readonly string[] | undefined,
): readonly PropertyDefinition[] | undefined {
  if (filter === undefined) return undefined;
  const isNull = filter.length === 1 && filter[0] === "null" && findProperty(schema, "null") === undefined;
  return isNull ? undefined : filter.map((key) => requireProperty(schema, key));
}
