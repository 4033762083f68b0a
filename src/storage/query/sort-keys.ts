import { MAX_KEY_LENGTH } from "../../domain/properties/index-rows.js";
import type { SortKey } from "../../domain/query/sort.js";
import { buildRollup } from "./rollups.js";
import { type Fragment, sql } from "./sql.js";
import { buildIsElementOf, buildFrom, buildFromRelatedPages, PAGE_ALIAS } from "./from-clauses.js";

/** Builds the expression for the sort key of the listed page. It is null when the page has no value. */
export function buildSortKey(key: SortKey): Fragment {
  switch (key.kind) {
    case "time":
      return sql.ref(`p.${key.column}`);
    case "user":
      return buildUserName(sql.ref(`p.${key.column}`));
    case "text":
    case "number":
      return buildFirstElement(key.property.id, `${key.kind}_key`);
    case "checkbox":
      // A checkbox without a row is unchecked.
      return sql`coalesce(${buildFirstElement(key.property.id, "number_key")}, 0)`;
    case "people":
      return buildUserName(buildFirstElement(key.property.id, "text_key"));
    case "relation": {
      const related = sql.alias("t");
      const link = sql.alias("r");
      const source = buildFromRelatedPages(key.property.id, PAGE_ALIAS, related, link);
      return sql`(select substr(${related}.title_text, 1, ${sql.lit(MAX_KEY_LENGTH)})
        from ${buildFrom(source)} order by ${link}.ordinal limit 1)`;
    }
    case "rollup":
      return buildRollup(key.source, PAGE_ALIAS);
  }
}

/** Builds the expression for a column of the first element of a property's value; null when the page has none. */
function buildFirstElement(propertyId: string, column: "text_key" | "number_key"): Fragment {
  const value = sql.alias("v");
  return sql`(select ${value}.${sql.ref(column)} from property_values as ${value}
    where ${buildIsElementOf(value, propertyId, PAGE_ALIAS)} and ${value}.ordinal = 0)`;
}

/** Builds the expression for a user's name in lower case. Only ASCII letters change, on PostgreSQL due to its collation "C". */
function buildUserName(id: Fragment): Fragment {
  const user = sql.alias("u");
  return sql`(select lower(${user}.name) from users as ${user}
    where ${user}.workspace_id = ${sql.workspaceId} and ${user}.id = ${id})`;
}
