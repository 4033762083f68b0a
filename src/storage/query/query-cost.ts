import { MAX_CHEAP_LOOKUPS } from "../../budgets.js";
import type { Condition } from "../../domain/query/condition.js";
import { sumBy } from "../../lists.js";
import { needsTextScan } from "./index-lookups.js";
import type { PageListQuery } from "./page-list-query.js";

/** Whether a query takes few milliseconds for `pageCount` pages: it looks up few values, and reads no long texts or linked pages. */
export function isCheapQuery(
  { condition, sorts }: Pick<PageListQuery, "condition" | "sorts">,
  pageCount: number,
): boolean {
  const readsLinks = sorts.some(({ key }) => key.kind === "relation" || key.kind === "rollup");
  const termCount = countConditionTerms(condition) + sorts.length;
  return !readsLinks && pageCount * termCount <= MAX_CHEAP_LOOKUPS;
}

/** Counts the simple conditions in a condition; Infinity if one of them is not cheap. */
function countConditionTerms(condition: Condition): number {
  switch (condition.kind) {
    case "and":
    case "or":
      return sumBy(condition.members, countConditionTerms);
    case "not":
      return countConditionTerms(condition.member);
    case "element": {
      const { property, test } = condition;
      const readsAllLinks = property.type === "relation" && test.kind !== "id";
      return needsTextScan(test) || readsAllLinks ? Infinity : 1;
    }
    case "time":
    case "user":
      return 1;
    case "related":
    case "rollup":
      return Infinity;
  }
}
