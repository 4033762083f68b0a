import {
  createPointRange,
  MATCH_ALL,
  MATCH_NONE,
  isMatchAll,
  negate,
  type Condition,
  type ElementTest,
  type Range,
} from "../../domain/query/condition.js";
import type { CursorValue } from "../../domain/cursor.js";
import type { SortKey } from "../../domain/query/sort.js";

/** A condition of a query that is sorted by a number property, split into two parts. */
interface SplitCondition {
  /** Ranges of that number. The index of the sort finds the pages in them without reading other pages. */
  readonly ranges: readonly Range[];
  readonly rest: Condition;
}

/** Splits the ranges of a number property from the rest of a condition. */
export function splitSortRanges(condition: Condition, propertyId: string): SplitCondition {
  const members = condition.kind === "and" ? condition.members : [condition];
  const ranges: Range[] = [];
  const rest: Condition[] = [];
  for (const member of members) {
    const isOnProperty = member.kind === "element" && member.property.id === propertyId;
    if (isOnProperty && member.test.kind === "range") ranges.push(member.test.range);
    else rest.push(member);
  }
  return { ranges, rest: rest.length === 0 ? MATCH_ALL : { kind: "and", members: rest } };
}

/** Whether the index of a sort finds the pages that meet a condition without reading other pages. */
export function isCoveredBySortIndex(condition: Condition, key: SortKey): boolean {
  if (isMatchAll(condition)) return true;
  if (key.kind !== "number") return false;
  return isMatchAll(splitSortRanges(condition, key.property.id).rest);
}

/** Creates the condition for a sort key that buildScansBySort supports; null stands for a page without a value. */
export function createSortKeyCondition(key: SortKey, value: CursorValue): Condition {
  if (key.kind === "time") {
    return typeof value === "number"
      ? { kind: "time", column: key.column, range: createPointRange(value) }
      : MATCH_NONE;
  }
  if (!("property" in key)) return MATCH_NONE;
  const { property } = key;
  const element = (test: ElementTest): Condition => ({ kind: "element", property, test });
  if (key.kind === "checkbox") {
    const checked = element({ kind: "range", range: createPointRange(1) });
    return value === 1 ? checked : negate(checked);
  }
  if (value === null) return negate(element({ kind: "exists" }));
  // The test "id" compares text_key only. The test "text" would compare the whole text, but the sort key is its beginning.
  return typeof value === "string"
    ? element({ kind: "id", id: value })
    : element({ kind: "range", range: createPointRange(value) });
}
