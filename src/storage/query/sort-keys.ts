import { createPointRange } from "../../domain/query/condition.js";
import type { SortKey } from "../../domain/query/sort.js";
import { rollupSql } from "./rollups.js";
import { existsSql, type Fragment, sql, type SqlContext } from "./sql.js";
import { fromSql, fromRelatedPages } from "./from-clauses.js";
import { unindexedColumns, rangeSql } from "./predicates.js";

/** Number of code points by which titles are sorted. */
const TITLE_LENGTH = 128;

/** A sort key that affects the order of pages. */
export type EffectiveSortKey = Exclude<SortKey, { kind: "none" }>;

/**
 * Builds the expression for a page's sort key; null when the page has no value.
 *
 * @param page alias of the row of `pages`
 */
export function sortKeySql(key: EffectiveSortKey, page: string, context: SqlContext): Fragment {
  switch (key.kind) {
    case "time":
      return sql.ref(`${page}.${key.column}`);
    case "user":
      return selectUserName(sql.ref(`${page}.${key.column}`), context);
    case "text":
    case "number": {
      const value = context.alias("v");
      const first = firstElement(key.propertyId, page, value, context);
      return sql`(select ${sql.ref(`${value}.${key.kind}_key`)} from ${first})`;
    }
    case "checkbox": {
      const value = context.alias("v");
      const checked = rangeSql(createPointRange(1), unindexedColumns(value).number);
      return sql`(case when ${existsSql(sql`${firstElement(key.propertyId, page, value, context)} and ${checked}`)}
        then 1 else 0 end)`;
    }
    case "people": {
      const value = context.alias("v");
      const first = firstElement(key.propertyId, page, value, context);
      return selectUserName(sql`(select ${sql.ref(`${value}.text_key`)} from ${first})`, context);
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

/** Builds the text after FROM for the first element of a value; further conditions can follow. */
function firstElement(propertyId: string, page: string, value: string, context: SqlContext): Fragment {
  return sql`property_values as ${sql.ref(value)}
    where ${sql.ref(`${value}.workspace_id`)} = ${context.workspaceId}
      and ${sql.ref(`${value}.page_id`)} = ${sql.ref(`${page}.id`)}
      and ${sql.ref(`${value}.property_id`)} = ${propertyId}
      and ${sql.ref(`${value}.ordinal`)} = 0`;
}

/** Selects a user's lower-case name. Both databases change ASCII letters only, PostgreSQL due to the collation "C". */
function selectUserName(id: Fragment, context: SqlContext): Fragment {
  const user = context.alias("u");
  return sql`(select lower(${sql.ref(`${user}.name`)}) from users as ${sql.ref(user)}
    where ${sql.ref(`${user}.workspace_id`)} = ${context.workspaceId} and ${sql.ref(`${user}.id`)} = ${id})`;
}
