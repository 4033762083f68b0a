import { findProperty, type PropertyDefinition, requireProperty, type Schema } from "../domain/schema.js";

/**
 * Finds the properties that a response shows, from their names or ids; undefined for all. Some clients send the text "null" for
 * all properties. Throws a DomainError (validation) when the schema lacks one of the properties.
 */
export function resolvePropertyFilter(
  schema: Schema,
  namesOrIds: readonly string[] | undefined,
): readonly PropertyDefinition[] | undefined {
  if (namesOrIds === undefined) return undefined;
  const requestsAll =
    namesOrIds.length === 1 && namesOrIds[0] === "null" && findProperty(schema, "null") === undefined;
  return requestsAll ? undefined : namesOrIds.map((nameOrId) => requireProperty(schema, nameOrId));
}
