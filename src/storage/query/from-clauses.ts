import type { ElementTest } from "../../domain/query/condition.js";
import type { PropertyDefinition } from "../../domain/schema.js";
import { ALWAYS_TRUE, buildIn, joinWithAnd, buildExists, type Fragment, sql } from "./sql.js";
import { getUnindexedColumns, buildTestPredicate } from "./predicates.js";

/** Alias of the listed rows of `pages`. */
export const PAGE_ALIAS = sql`p`;

/** Bytes of the values of a listed page. */
export const PAGE_BYTES = sql`octet_length(${PAGE_ALIAS}.properties)`;

/** FROM and WHERE of a SELECT. SQLite reads cross-joined tables in the given order. */
export interface FromClause {
  readonly tables: Fragment;
  readonly where: Fragment;
}

/** Formats the text after FROM from a clause and further conditions. */
export function buildFrom({ tables, where }: FromClause, ...conditions: Fragment[]): Fragment {
  return sql`${tables} where ${joinWithAnd([where, ...conditions])}`;
}

/** Joins two clauses. SQLite reads the outer one first, and the inner one can refer to it. */
export function crossJoin(outer: FromClause, inner: FromClause): FromClause {
  return {
    tables: sql`${outer.tables} cross join ${inner.tables}`,
    where: sql`${outer.where} and ${inner.where}`,
  };
}

/** Builds the predicate that a row of `property_values` is an element of a property's value on one page. */
export function buildIsElementOf(value: Fragment, propertyId: string, page: Fragment): Fragment {
  return sql`${value}.workspace_id = ${sql.workspaceId}
    and ${value}.page_id = ${page}.id and ${value}.property_id = ${propertyId}`;
}

/** Builds the FROM clause for the elements of a property's value on one page. `value` becomes their alias. */
export function buildFromValues(property: PropertyDefinition, page: Fragment, value: Fragment): FromClause {
  const where = buildIsElementOf(value, property.id, page);
  return {
    tables: sql`property_values as ${value}`,
    where: property.type === "relation" ? sql`${where} and ${buildIsVisible(value)}` : where,
  };
}

/**
 * Builds the FROM clause for rows that are found by their key, which can refer to the tables before it. PostgreSQL finds them in
 * a subquery, whose offset keeps the key apart from all other conditions: without current statistics it may otherwise prefer an
 * index of another condition, and read many rows for each key.
 *
 * @param alias becomes the alias of the rows
 * @param buildHasKey builds the predicate from the prefix of the columns
 */
export function buildFromRowsByKey(
  table: "pages" | "property_values",
  alias: Fragment,
  buildHasKey: (prefix: Fragment) => Fragment,
): FromClause {
  const name = sql.raw(table);
  return {
    tables: sql.byDialect({
      sqlite: sql`${name} as ${alias}`,
      postgres: sql`lateral (select * from ${name} where ${buildHasKey(sql``)} offset 0) as ${alias}`,
    }),
    where: sql.byDialect({ sqlite: buildHasKey(sql`${alias}.`), postgres: ALWAYS_TRUE }),
  };
}

/** Builds the FROM clause for the page with an id, in the trash or outside of it. `page` becomes its alias. */
export function buildFromPage(page: Fragment, id: Fragment, inTrash: boolean): FromClause {
  const { tables, where } = buildFromRowsByKey(
    "pages",
    page,
    (prefix) => sql`${prefix}workspace_id = ${sql.workspaceId} and ${prefix}id = ${id}`,
  );
  return { tables, where: sql`${where} and ${page}.in_trash = ${inTrash ? 1 : 0}` };
}

/** Builds the FROM clause for the pages with the given ids. `page` becomes their alias. See buildFromRowsByKey for PostgreSQL. */
export function buildFromPageIds(page: Fragment, ids: readonly string[]): FromClause {
  const list = sql.alias("i");
  const { tables, where } = crossJoin(
    {
      tables: sql`json_array_elements_text(cast(${JSON.stringify(ids)} as json)) as ${list} (id)`,
      where: ALWAYS_TRUE,
    },
    buildFromRowsByKey(
      "pages",
      page,
      (prefix) => sql`${prefix}workspace_id = ${sql.workspaceId} and ${prefix}id = ${list}.id`,
    ),
  );
  return {
    tables: sql.byDialect({ sqlite: sql`pages as ${page}`, postgres: tables }),
    where: sql.byDialect({ sqlite: buildIn(sql`${page}.id`, ids), postgres: where }),
  };
}

/** Builds the predicate that the page of a link exists outside of the trash. */
function buildIsVisible(value: Fragment): Fragment {
  const target = sql.alias("t");
  return buildExists(buildFrom(buildFromPage(target, sql`${value}.text_key`, false)));
}

/** Builds the predicate that an element of a property's value passes a test. */
export function buildHasElement(property: PropertyDefinition, test: ElementTest, page: Fragment): Fragment {
  const value = sql.alias("v");
  const values = buildFromValues(property, page, value);
  // Uses the index of text_key, in which one lookup finds the id. Otherwise all links of the page would be read.
  const predicate =
    test.kind === "id"
      ? sql`${value}.database_id = ${page}.parent_id and ${value}.text_key = ${test.id}`
      : buildTestPredicate(test, getUnindexedColumns(value));
  return buildExists(buildFrom(values, predicate));
}

/** Builds the FROM clause for the pages that a relation of `page` links to. `link` becomes the alias of the links. */
export function buildFromRelatedPages(
  relationId: string,
  page: Fragment,
  related: Fragment,
  link = sql.alias("r"),
): FromClause {
  const links: FromClause = {
    tables: sql`property_values as ${link}`,
    where: buildIsElementOf(link, relationId, page),
  };
  return crossJoin(links, buildFromPage(related, sql`${link}.text_key`, false));
}
