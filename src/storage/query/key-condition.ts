import {
  MATCH_NONE,
  negate,
  createPointRange,
  type Condition,
  type ElementTest,
} from "../../domain/query/condition.js";
import type { SortValue } from "../../domain/query/position.js";
import type { Schema } from "../../domain/schema.js";
import type { EffectiveSortKey } from "./sort-keys.js";

/**
 * Returns the condition that a page has a given value as its sort key.
 *
 * @param key a key that an index sorts by, see buildSegmentsBySort
 * @param value null for pages without a value
 */
export function createSortKeyCondition(key: EffectiveSortKey, value: SortValue, schema: Schema): Condition {
  if (key.kind === "time") {
    return typeof value === "number"
      ? { kind: "time", column: key.column, range: createPointRange(value) }
      : MATCH_NONE;
  }
  const property = "propertyId" in key ? schema.byId.get(key.propertyId) : undefined;
  if (property === undefined) return MATCH_NONE;
  const element = (test: ElementTest): Condition => ({ kind: "element", property, test });
  if (key.kind === "checkbox") {
    const checked = element({ kind: "range", range: createPointRange(1) });
    return value === 1 ? checked : negate(checked);
  }
  if (value === null) return negate(element({ kind: "any" }));
  // Compared with the index key like an id, because the key of a long text is only its beginning.
  return typeof value === "string"
    ? element({ kind: "id", id: value })
    : element({ kind: "range", range: createPointRange(value) });
}
