import type { components } from "../../generated/types.js";

type Sort = components["schemas"]["Sort"];
/** What pages are sorted by: a property by its name or id, or one of their times. */
export type SortKey = string | { timestamp: NonNullable<Sort["timestamp"]> };

/** Sorts from the least to the greatest; pages without a value come last. */
export function ascending(key: SortKey): Sort {
  return { ...keyOf(key), direction: "ascending" };
}

/** Sorts from the greatest to the least; pages without a value come last. */
export function descending(key: SortKey): Sort {
  return { ...keyOf(key), direction: "descending" };
}

function keyOf(key: SortKey): Omit<Sort, "direction"> {
  return typeof key === "string" ? { property: key } : key;
}
