import { NONE, not, point, type Condition, type Test } from "../../domain/query/condition.js";
import type { SortValue } from "../../domain/query/cursor.js";
import type { Schema } from "../../domain/schema.js";
import type { RealKey } from "./sort-keys.js";

/**
 * The condition that pages meet whose sort key is the given one.
 *
 * @param key one that an index has the order of, see segmentsBySort
 * @param value null for the pages that have none
 */
export function conditionOfKey(key: RealKey, value: SortValue, schema: Schema): Condition {
  if (key.kind === "time") {
    return typeof value === "number" ? { kind: "time", column: key.column, range: point(value) } : NONE;
  }
  const property = "propertyId" in key ? schema.byId.get(key.propertyId) : undefined;
  if (property === undefined) return NONE;
  const element = (test: Test): Condition => ({ kind: "element", property, test });
  if (key.kind === "checkbox") {
    const ticked = element({ kind: "range", range: point(1) });
    return value === 1 ? ticked : not(ticked);
  }
  if (value === null) return not(element({ kind: "any" }));
  // The key of a text is compared as an id is: as it stands. It may be only the beginning of the text.
  return typeof value === "string"
    ? element({ kind: "id", id: value })
    : element({ kind: "range", range: point(value) });
}
