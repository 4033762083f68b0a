import type { ElementTest } from "../../domain/query/condition.js";
import type { PropertyDefinition } from "../../domain/schema.js";
import { allOf, buildExists, type Fragment, sql, type SqlContext } from "./sql.js";
import { getUnindexedColumns, buildTestPredicate } from "./predicates.js";

/** Alias of the listed rows of `pages`. */
export const PAGE_ALIAS = sql`p`;

/** FROM and WHERE of a SELECT. SQLite reads cross-joined tables in the given order. */
export interface FromClause {
  readonly tables: Fragment;
  readonly where: Fragment;
}

/** Formats the text after FROM from a clause and further conditions. */
export function formatFromClause({ tables, where }: FromClause, ...conditions: Fragment[]): Fragment {
  return sql`${tables} where ${allOf([where, ...conditions])}`;
}

/** Joins two clauses. SQLite reads the outer one first, and the inner one can refer to it. */
export function crossJoin(outer: FromClause, inner: FromClause): FromClause {
  return {
    tables: sql`${outer.tables} cross join ${inner.tables}`,
    where: sql`${outer.where} and ${inner.where}`,
  };
}

/**
 * Builds the FROM clause for the elements of a property's value on one page. `page` is the alias of the page, and `value`
 * becomes the alias of the elements, which are rows of `property_values`.
 */
export function fromValues(
  property: PropertyDefinition,
  page: Fragment,
  value: Fragment,
  context: SqlContext,
): FromClause {
  const where = sql`${value}.workspace_id = ${context.workspaceId}
    and ${value}.page_id = ${page}.id and ${value}.property_id = ${property.id}`;
  return {
    tables: sql`property_values as ${value}`,
    where: property.type === "relation" ? sql`${where} and ${buildIsVisible(value, context)}` : where,
  };
}

/** Builds the predicate that the page of a link exists outside of the trash. */
function buildIsVisible(value: Fragment, context: SqlContext): Fragment {
  const target = context.createAlias("t");
  return buildExists(sql`pages as ${target}
    where ${target}.workspace_id = ${context.workspaceId}
      and ${target}.id = ${value}.text_key and ${target}.in_trash = 0`);
}

/** Builds the predicate that an element of a property's value passes a test. */
export function buildHasElement(
  property: PropertyDefinition,
  test: ElementTest,
  page: Fragment,
  context: SqlContext,
): Fragment {
  const value = context.createAlias("v");
  const values = fromValues(property, page, value, context);
  // Uses the index of text_key, in which one lookup finds the id. Otherwise all links of the page would be read.
  const predicate =
    test.kind === "id"
      ? sql`${value}.database_id = ${page}.parent_id and ${value}.text_key = ${test.id}`
      : buildTestPredicate(test, getUnindexedColumns(value));
  return buildExists(formatFromClause(values, predicate));
}

/**
 * Builds the FROM clause for the pages that a relation of one page links to. `page` is the alias of that page. `related`
 * becomes the alias of the linked pages, and `link` that of the links, which are rows of `property_values`.
 */
export function fromRelatedPages(
  relationId: string,
  page: Fragment,
  related: Fragment,
  context: SqlContext,
  link = context.createAlias("r"),
): FromClause {
  return {
    tables: sql`property_values as ${link} cross join pages as ${related}`,
    where: sql`${link}.workspace_id = ${context.workspaceId}
      and ${link}.page_id = ${page}.id and ${link}.property_id = ${relationId}
      and ${related}.workspace_id = ${context.workspaceId}
      and ${related}.id = ${link}.text_key and ${related}.in_trash = 0`,
  };
}
