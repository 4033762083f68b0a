import { point } from "../../domain/query/condition.js";
import type { SortKey } from "../../domain/query/sort.js";
import { rollupSql } from "./rollups.js";
import { existsSql, type Fragment, sql, type SqlContext } from "./sql.js";
import { fromSql, fromRelatedPages } from "./from-clauses.js";
import { unindexedColumns, rangeSql } from "./predicates.js";

/** Code points of a title that its order depends on. */
const TITLE_LENGTH = 128;

/** A key that pages can be sorted by. */
export type RealKey = Exclude<SortKey, { kind: "none" }>;

/**
 * Expression of the sort key of a page; null when it has no value.
 *
 * @param page alias of the row of `pages`
 */
export function sortKeySql(key: RealKey, page: string, context: SqlContext): Fragment {
  switch (key.kind) {
    case "time":
      return sql.ref(`${page}.${key.column}`);
    case "user": {
      const user = context.alias("u");
      return sql`(select ${nameOf(user)} from users as ${sql.ref(user)}
        where ${sql.ref(`${user}.workspace_id`)} = ${context.workspaceId}
          and ${sql.ref(`${user}.id`)} = ${sql.ref(`${page}.${key.column}`)})`;
    }
    case "text":
    case "number": {
      const value = context.alias("v");
      const first = firstOf(key.propertyId, page, value, context);
      return sql`(select ${sql.ref(`${value}.${key.kind}_key`)} from ${first})`;
    }
    case "checkbox": {
      const value = context.alias("v");
      const ticked = rangeSql(point(1), unindexedColumns(value).number);
      return sql`(case when ${existsSql(sql`${firstOf(key.propertyId, page, value, context)} and ${ticked}`)}
        then 1 else 0 end)`;
    }
    case "people": {
      const value = context.alias("v");
      const user = context.alias("u");
      return sql`(select ${nameOf(user)} from users as ${sql.ref(user)}
        where ${sql.ref(`${user}.workspace_id`)} = ${context.workspaceId}
          and ${sql.ref(`${user}.id`)} =
            (select ${sql.ref(`${value}.text_key`)} from ${firstOf(key.propertyId, page, value, context)}))`;
    }
    case "relation": {
      const related = context.alias("t");
      const link = context.alias("r");
      const source = fromRelatedPages(key.propertyId, page, related, context, link);
      return sql`(select substr(${sql.ref(`${related}.title_text`)}, 1, ${sql.lit(TITLE_LENGTH)})
        from ${fromSql(source)} order by ${sql.ref(`${link}.ordinal`)} limit 1)`;
    }
    case "rollup":
      return rollupSql(key.source, page, context);
  }
}

/** Text after FROM for the first element of a value; further conditions can follow. */
function firstOf(propertyId: string, page: string, value: string, context: SqlContext): Fragment {
  return sql`property_values as ${sql.ref(value)}
    where ${sql.ref(`${value}.workspace_id`)} = ${context.workspaceId}
      and ${sql.ref(`${value}.page_id`)} = ${sql.ref(`${page}.id`)}
      and ${sql.ref(`${value}.property_id`)} = ${propertyId}
      and ${sql.ref(`${value}.ordinal`)} = 0`;
}

/** Lower-case name of a user. Both databases change ASCII letters only: PostgreSQL because of the collation "C". */
function nameOf(user: string): Fragment {
  return sql`lower(${sql.ref(`${user}.name`)})`;
}
