import type { components } from "../../generated/types.js";

type Sort = components["schemas"]["Sort"];
/** A sort key: the name or id of a property, or a timestamp of the page. */
export type SortKey = string | { timestamp: NonNullable<Sort["timestamp"]> };

/** Sorts in ascending order; pages without a value come last. */
export function ascending(key: SortKey): Sort {
  return { ...toSortFields(key), direction: "ascending" };
}

/** Sorts in descending order; pages without a value come last. */
export function descending(key: SortKey): Sort {
  return { ...toSortFields(key), direction: "descending" };
}

function toSortFields(key: SortKey): Omit<Sort, "direction"> {
  return typeof key === "string" ? { property: key } : key;
}
