import { EVERY, isEvery, type Condition, type Range } from "../../domain/query/condition.js";
import type { RealKey } from "./sort-keys.js";

/** A condition, divided for a list that is sorted by one property. */
export interface SortRange {
  /** Ranges that the property's value must be in: the index of the sort finds them without looking at other pages. */
  readonly ranges: readonly Range[];
  /** The rest of the condition. */
  readonly rest: Condition;
}

/** Takes the ranges of a numeric sort key out of a condition. */
export function takeSortRange(condition: Condition, propertyId: string): SortRange {
  const members = condition.kind === "and" ? condition.members : [condition];
  const ranges: Range[] = [];
  const rest: Condition[] = [];
  for (const member of members) {
    const isRange = member.kind === "element" && member.property.id === propertyId;
    if (isRange && member.test.kind === "range") ranges.push(member.test.range);
    else rest.push(member);
  }
  if (ranges.length === 0) return { ranges, rest: condition };
  return { ranges, rest: rest.length === 0 ? EVERY : { kind: "and", members: rest } };
}

/** Whether the index of a sort finds the pages that meet a condition without looking at others. */
export function isServedBySort(condition: Condition, key: RealKey): boolean {
  if (isEvery(condition)) return true;
  return key.kind === "number" && key.single && isEvery(takeSortRange(condition, key.propertyId).rest);
}
