import {
  findPropertyByIdFirst,
  type PropertyDefinition,
  requireProperty,
  type Schema,
} from "../../domain/schema.js";

/**
 * Finds the properties that a response shows, from their ids or names, in the order of the schema; undefined for all. Some clients
 * send the text "null" for all properties. Throws a DomainError (validation) when the schema lacks one of the properties.
 */
export function resolvePropertyFilter(
  schema: Schema,
  idsOrNames: readonly string[] | undefined,
): readonly PropertyDefinition[] | undefined {
  if (idsOrNames === undefined) return undefined;
  const isNull = idsOrNames.length === 1 && idsOrNames[0] === "null";
  if (isNull && findPropertyByIdFirst(schema, "null") === undefined) return undefined;
  const found = new Set(idsOrNames.map((key) => requireProperty(findPropertyByIdFirst(schema, key), key)));
  return schema.definitions.filter((property) => found.has(property));
}
