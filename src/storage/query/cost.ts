import { MAX_QUICK_PARTS } from "../../budgets.js";
import type { Condition } from "../../domain/query/condition.js";
import { needsTextScan } from "./index-lookups.js";
import type { Listing } from "./listing.js";

/**
 * Whether filtering and sorting 1,000 pages takes only milliseconds, so that it may block the event loop on SQLite: there are few
 * conditions and sorts, and none reads long texts, all links of a page or linked pages.
 */
export function isQuick({ condition, sorts }: Pick<Listing, "condition" | "sorts">): boolean {
  const readsLinks = sorts.some(({ key }) => key.kind === "relation" || key.kind === "rollup");
  return !readsLinks && countConditions(condition) + sorts.length <= MAX_QUICK_PARTS;
}

/** Counts simple conditions. Infinity when a condition is not quick. */
function countConditions(condition: Condition): number {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.members.reduce((sum, member) => sum + countConditions(member), 0);
    case "not":
      return countConditions(condition.member);
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
