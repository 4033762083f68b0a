import type { Condition } from "../../domain/query/condition.js";
import { buildRollup } from "./rollups.js";
import { ALWAYS_FALSE, joinWithAnd, joinWithOr, buildExists, type Fragment, sql } from "./sql.js";
import { buildFrom, buildHasElement, buildFromRelatedPages } from "./from-clauses.js";
import { buildRangePredicate } from "./predicates.js";

/** Builds the predicate that a page meets a condition; `page` is its alias. The predicate is true or false, never null. */
export function buildCondition(condition: Condition, page: Fragment): Fragment {
  switch (condition.kind) {
    case "and":
      return joinWithAnd(condition.members.map((member) => buildCondition(member, page)));
    case "or":
      return joinWithOr(condition.members.map((member) => buildCondition(member, page)));
    case "not":
      return sql`not (${buildCondition(condition.member, page)})`;
    case "element":
      return buildHasElement(condition.property, condition.test, page);
    case "time":
      return buildRangePredicate(condition.range, sql`${page}.${sql.ref(condition.column)}`);
    case "user":
      return sql`${page}.${sql.ref(condition.column)} = ${condition.id}`;
    case "related": {
      const related = sql.alias("t");
      const source = buildFromRelatedPages(condition.relationId, page, related);
      return buildExists(buildFrom(source, buildCondition(condition.member, related)));
    }
    case "rollup": {
      const inRange = buildRangePredicate(condition.range, buildRollup(condition.source, page));
      // A comparison with null is null, and so is its negation.
      return sql`coalesce(${inRange}, ${ALWAYS_FALSE})`;
    }
  }
}
