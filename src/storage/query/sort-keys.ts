import type { EffectiveSortKey } from "./listing.js";
import { buildRollup } from "./rollups.js";
import { type Fragment, sql, type SqlContext } from "./sql.js";
import { formatFromClause, fromRelatedPages } from "./from-clauses.js";

const TITLE_LENGTH = 128;

/** Builds the expression for the sort key of a page, a row of `pages`; null when the page has no value. */
export function buildSortKey(key: EffectiveSortKey, page: Fragment, context: SqlContext): Fragment {
  switch (key.kind) {
    case "time":
      return sql`${page}.${sql.ref(key.column)}`;
    case "user":
      return selectUserName(sql`${page}.${sql.ref(key.column)}`, context);
    case "text":
    case "number":
      return selectFirstElement(key.propertyId, `${key.kind}_key`, page, context);
    case "checkbox":
      // A checkbox without a row is unchecked.
      return sql`coalesce(${selectFirstElement(key.propertyId, "number_key", page, context)}, 0)`;
    case "people":
      return selectUserName(selectFirstElement(key.propertyId, "text_key", page, context), context);
    case "relation": {
      const related = context.alias("t");
      const link = context.alias("r");
      const source = fromRelatedPages(key.propertyId, page, related, context, link);
      return sql`(select substr(${related}.title_text, 1, ${sql.lit(TITLE_LENGTH)})
        from ${formatFromClause(source)} order by ${link}.ordinal limit 1)`;
    }
    case "rollup":
      return buildRollup(key.source, page, context);
  }
}

/** Selects a column of the first element of a property's value; null when the page has none. */
function selectFirstElement(
  propertyId: string,
  column: "text_key" | "number_key",
  page: Fragment,
  context: SqlContext,
): Fragment {
  const value = context.alias("v");
  return sql`(select ${value}.${sql.ref(column)} from property_values as ${value}
    where ${value}.workspace_id = ${context.workspaceId} and ${value}.page_id = ${page}.id
      and ${value}.property_id = ${propertyId} and ${value}.ordinal = 0)`;
}

/** Selects a user's lower-case name. Both databases change ASCII letters only, PostgreSQL due to the collation "C". */
function selectUserName(id: Fragment, context: SqlContext): Fragment {
  const user = context.alias("u");
  return sql`(select lower(${user}.name) from users as ${user}
    where ${user}.workspace_id = ${context.workspaceId} and ${user}.id = ${id})`;
}
