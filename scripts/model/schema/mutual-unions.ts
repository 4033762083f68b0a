import { groupBy } from "../../maps.js";
import { findStronglyConnectedComponents } from "../../strongly-connected-components.js";
import { listComposedParts } from "./composition.js";
import { SchemaError } from "./schema-error.js";
import type { Schema } from "./schema.js";

/** Maximum number of unions that are branches of each other. The time grows with its fourth power. Real documents have one or two. */
const MAX_MUTUAL_UNIONS = 24;

/** Throws a SchemaError for too many unions with discriminators that are branches of each other. */
export function checkMutualUnions(schemas: Iterable<Schema>): void {
  const cycles = findStronglyConnectedComponents(schemas, listComposedParts);
  const unions = [...cycles.keys()].filter(
    (schema) => schema.unions.length > 0 && schema.keyword("discriminator") !== undefined,
  );
  for (const mutual of groupBy(unions, (schema) => cycles.get(schema)).values())
    if (mutual[0] && mutual.length > MAX_MUTUAL_UNIONS)
      throw new SchemaError(
        mutual[0],
        `it and ${mutual.length - 1} other schemas with discriminators are branches of each other, instead of at most ${MAX_MUTUAL_UNIONS}`,
      );
}
