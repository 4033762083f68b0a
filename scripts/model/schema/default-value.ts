import { isEqual, type JsonValue } from "../../json.js";
import { walkGraph } from "../../walk-graph.js";
import { listConjuncts } from "./composition.js";
import { getJsonType, getPossibleTypes } from "./json-types.js";
import type { Schema } from "./schema.js";

/** Returns the `default` of a schema if its type or value is not allowed by the schema, or by one that it refers to. */
export function getInvalidDefault(schema: Schema): JsonValue | undefined {
  const value = schema.keyword("default");
  if (value === undefined || (value === null && schema.nullable)) return undefined;
  const allows = ({ listedValues, nullable }: Schema): boolean =>
    !listedValues || (value === null && nullable) || listedValues.some((each) => isEqual(each, value));
  const hasType = getPossibleTypes(schema).has(getJsonType(value));
  return hasType && [...walkGraph([schema], listConjuncts)].every(allows) ? undefined : value;
}
