import { MATCH_ALL, matchesAll, type Condition, type Range } from "../../domain/query/condition.js";
import type { EffectiveSortKey } from "./sort-keys.js";

/** A condition, split for a list that is sorted by one property. */
export interface SortRange {
  /** Ranges of the property's value, which the index of the sort finds without reading other pages. */
  readonly ranges: readonly Range[];
  /** The rest of the condition. */
  readonly rest: Condition;
}

/** Extracts the ranges of a numeric sort key from a condition. */
export function splitSortRange(condition: Condition, propertyId: string): SortRange {
  const members = condition.kind === "and" ? condition.members : [condition];
  const ranges: Range[] = [];
  const rest: Condition[] = [];
  for (const member of members) {
    const isRange = member.kind === "element" && member.property.id === propertyId;
    if (isRange && member.test.kind === "range") ranges.push(member.test.range);
    else rest.push(member);
  }
  if (ranges.length === 0) return { ranges, rest: condition };
  return { ranges, rest: rest.length === 0 ? MATCH_ALL : { kind: "and", members: rest } };
}

/** Whether the index of a sort finds the pages that meet a condition without reading others. */
export function isCoveredBySortIndex(condition: Condition, key: EffectiveSortKey): boolean {
  if (matchesAll(condition)) return true;
  return key.kind === "number" && key.single && matchesAll(splitSortRange(condition, key.propertyId).rest);
}
