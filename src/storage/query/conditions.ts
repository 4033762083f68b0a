import type { Condition } from "../../domain/query/condition.js";
import { buildRollup } from "./rollups.js";
import { allOf, anyOf, buildExists, type Fragment, sql, type SqlContext } from "./sql.js";
import { formatFromClause, buildHasElement, fromRelatedPages } from "./from-clauses.js";
import { buildRangePredicate } from "./predicates.js";

/** Builds the predicate that a page meets a condition; `page` is its alias. The predicate is true or false, never null. */
export function buildCondition(condition: Condition, page: Fragment, context: SqlContext): Fragment {
  switch (condition.kind) {
    case "and":
      return allOf(condition.members.map((member) => buildCondition(member, page, context)));
    case "or":
      return anyOf(condition.members.map((member) => buildCondition(member, page, context)));
    case "not":
      return sql`not (${buildCondition(condition.member, page, context)})`;
    case "element":
      return buildHasElement(condition.property, condition.test, page, context);
    case "time":
      return buildRangePredicate(condition.range, sql`${page}.${sql.ref(condition.column)}`);
    case "user":
      return sql`${page}.${sql.ref(condition.column)} = ${condition.id}`;
    case "related": {
      const related = context.createAlias("t");
      const source = fromRelatedPages(condition.relationId, page, related, context);
      return buildExists(formatFromClause(source, buildCondition(condition.member, related, context)));
    }
    case "rollup": {
      const inRange = buildRangePredicate(condition.range, buildRollup(condition.source, page, context));
      // A comparison with null is null, and so is its negation.
      return sql`coalesce(${inRange}, 1 = 0)`;
    }
  }
}
