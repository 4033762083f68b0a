import type { ElementTest } from "../../domain/query/condition.js";
import type { PropertyDefinition } from "../../domain/schema.js";
import { allOf, buildExists, type Fragment, sql, type SqlContext } from "./sql.js";
import { getUnindexedColumns, buildPredicate } from "./predicates.js";

/** Alias of the listed rows of `pages`. */
export const PAGE = sql`p`;

/** FROM and WHERE of a SELECT. SQLite reads cross-joined tables in their order. */
export interface FromClause {
  readonly tables: Fragment;
  readonly where: Fragment;
}

/** Formats the text after FROM from a clause and further conditions. */
export function formatFromClause({ tables, where }: FromClause, ...conditions: Fragment[]): Fragment {
  return sql`${tables} where ${allOf([where, ...conditions])}`;
}

/** Joins two clauses. The inner one can refer to the outer one, which is read first. */
export function crossJoin(outer: FromClause, inner: FromClause): FromClause {
  return {
    tables: sql`${outer.tables} cross join ${inner.tables}`,
    where: sql`${outer.where} and ${inner.where}`,
  };
}

/**
 * FROM clause of the elements of a property's value. `page` is the alias of the row of `pages`, `value` the alias for the
 * rows.
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
    where: property.type === "relation" ? sql`${where} and ${isVisible(value, context)}` : where,
  };
}

function isVisible(value: Fragment, context: SqlContext): Fragment {
  const target = context.alias("t");
  return buildExists(sql`pages as ${target}
    where ${target}.workspace_id = ${context.workspaceId}
      and ${target}.id = ${value}.text_key and ${target}.in_trash = 0`);
}

/** Predicate: an element of a property's value passes a test. */
export function hasElement(
  property: PropertyDefinition,
  test: ElementTest,
  page: Fragment,
  context: SqlContext,
): Fragment {
  const value = context.alias("v");
  const values = fromValues(property, page, value, context);
  // Uses the index of keys, in which one lookup finds the id, so that the links of the page are not read one by one.
  const predicate =
    test.kind === "id"
      ? sql`${value}.database_id = ${page}.parent_id and ${value}.text_key = ${test.id}`
      : buildPredicate(test, getUnindexedColumns(value));
  return buildExists(formatFromClause(values, predicate));
}

/**
 * FROM clause of the pages that a relation of a page links to. `related` is the alias for their rows, `link` the alias for
 * the rows of the relation's elements.
 */
export function fromRelatedPages(
  relationId: string,
  page: Fragment,
  related: Fragment,
  context: SqlContext,
  link = context.alias("r"),
): FromClause {
  return {
    tables: sql`property_values as ${link} cross join pages as ${related}`,
    where: sql`${link}.workspace_id = ${context.workspaceId}
      and ${link}.page_id = ${page}.id and ${link}.property_id = ${relationId}
      and ${related}.workspace_id = ${context.workspaceId}
      and ${related}.id = ${link}.text_key and ${related}.in_trash = 0`,
  };
}
