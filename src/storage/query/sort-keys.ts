import { sql } from "kysely";
import { point } from "../../domain/query/condition.js";
import type { SortType } from "../../domain/query/cursor.js";
import type { SortKey } from "../../domain/query/sort.js";
import { rollupSql } from "./rollups.js";
import { existsSql, type Fragment, type Scope } from "./scope.js";
import { fromSql, relatedTo } from "./sources.js";
import { columnsOfFound, rangeSql } from "./tests.js";

/** How many code points of a title decide about its place. */
const TITLE_LENGTH = 128;

/** A key that pages can be sorted by. */
export type RealKey = Exclude<SortKey, { kind: "none" }>;

/** What the values of a sort key are, where there are any. */
export function sortType(key: RealKey): SortType {
  switch (key.kind) {
    case "time":
      return "integer";
    case "text":
    case "user":
    case "people":
    case "relation":
      return "string";
    default:
      return "number";
  }
}

/**
 * What a page is sorted by; null where it has no value.
 *
 * @param page alias of the row of `pages`
 */
export function sortKeySql(key: RealKey, page: string, scope: Scope): Fragment {
  switch (key.kind) {
    case "time":
      return sql.ref(`${page}.${key.column}`);
    case "user": {
      const user = scope.alias("u");
      return sql`(select ${nameOf(user)} from users as ${sql.ref(user)}
        where ${sql.ref(`${user}.workspace_id`)} = ${scope.workspaceId}
          and ${sql.ref(`${user}.id`)} = ${sql.ref(`${page}.${key.column}`)})`;
    }
    case "text":
    case "number": {
      const value = scope.alias("v");
      const first = firstOf(key.propertyId, page, value, scope);
      return sql`(select ${sql.ref(`${value}.${key.kind}_key`)} from ${first})`;
    }
    case "checkbox": {
      const value = scope.alias("v");
      const ticked = rangeSql(point(1), columnsOfFound(value).number);
      return sql`(case when ${existsSql(sql`${firstOf(key.propertyId, page, value, scope)} and ${ticked}`)}
        then 1 else 0 end)`;
    }
    case "people": {
      const value = scope.alias("v");
      const user = scope.alias("u");
      return sql`(select ${nameOf(user)} from users as ${sql.ref(user)}
        where ${sql.ref(`${user}.workspace_id`)} = ${scope.workspaceId}
          and ${sql.ref(`${user}.id`)} =
            (select ${sql.ref(`${value}.text_key`)} from ${firstOf(key.propertyId, page, value, scope)}))`;
    }
    case "relation": {
      const related = scope.alias("t");
      const link = scope.alias("r");
      const source = relatedTo(key.propertyId, page, related, scope, link);
      return sql`(select substr(${sql.ref(`${related}.title_text`)}, 1, ${sql.lit(TITLE_LENGTH)})
        from ${fromSql(source)} order by ${sql.ref(`${link}.ordinal`)} limit 1)`;
    }
    case "rollup":
      return rollupSql(key.source, page, scope);
  }
}

/** The first element of a value, after FROM; further conditions can follow. */
function firstOf(propertyId: string, page: string, value: string, scope: Scope): Fragment {
  return sql`property_values as ${sql.ref(value)}
    where ${sql.ref(`${value}.workspace_id`)} = ${scope.workspaceId}
      and ${sql.ref(`${value}.page_id`)} = ${sql.ref(`${page}.id`)}
      and ${sql.ref(`${value}.property_id`)} = ${propertyId}
      and ${sql.ref(`${value}.ordinal`)} = 0`;
}

/** SQLite knows the lower case of ASCII letters only, and so does PostgreSQL for texts that go byte by byte. */
function nameOf(user: string): Fragment {
  return sql`lower(${sql.ref(`${user}.name`)})`;
}
