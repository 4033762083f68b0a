import { sql } from "kysely";
import type { Condition } from "../../domain/query/condition.js";
import { rollupSql } from "./rollups.js";
import { allOf, anyOf, existsSql, type Fragment, type Scope } from "./scope.js";
import { fromSql, hasElement, relatedTo } from "./sources.js";
import { rangeSql } from "./tests.js";

/**
 * What a condition asks of a page, as SQL that is true or false, never null.
 *
 * @param page alias of the row of `pages`
 */
export function conditionSql(condition: Condition, page: string, scope: Scope): Fragment {
  switch (condition.kind) {
    case "and":
      return allOf(condition.members.map((member) => conditionSql(member, page, scope)));
    case "or":
      return anyOf(condition.members.map((member) => conditionSql(member, page, scope)));
    case "not":
      return sql`not (${conditionSql(condition.member, page, scope)})`;
    case "element":
      return hasElement(condition.property, condition.test, page, scope);
    case "time":
      return rangeSql(condition.range, sql.ref(`${page}.${condition.column}`));
    case "user":
      return sql`${sql.ref(`${page}.${condition.column}`)} = ${condition.id}`;
    case "related": {
      const related = scope.alias("t");
      const source = relatedTo(condition.relationId, page, related, scope);
      return existsSql(fromSql(source, conditionSql(condition.member, related, scope)));
    }
    case "rollup": {
      const inRange = rangeSql(condition.range, rollupSql(condition.source, page, scope));
      // Comparing with null gives null, whose opposite is null again.
      return sql`coalesce(${inRange}, 1 = 0)`;
    }
  }
}
