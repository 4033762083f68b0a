import { sql } from "kysely";
import type { Test } from "../../domain/query/condition.js";
import type { PropertyDefinition } from "../../domain/schema.js";
import { allOf, existsSql, type Fragment, type Scope } from "./scope.js";
import { columnsOfFound, testSql } from "./tests.js";

/** Rows that a SELECT reads. SQLite reads the tables in the order in which they stand. */
export interface Source {
  readonly tables: Fragment;
  readonly where: Fragment;
}

/** `tables where conditions`, which stands after FROM. */
export function fromSql({ tables, where }: Source, ...conditions: Fragment[]): Fragment {
  return sql`${tables} where ${allOf([where, ...conditions])}`;
}

/** For each row of one source the rows of another, which may refer to it. */
export function forEach(outer: Source, inner: Source): Source {
  return {
    tables: sql`${outer.tables} cross join ${inner.tables}`,
    where: sql`${outer.where} and ${inner.where}`,
  };
}

/**
 * The elements of a property's value.
 *
 * @param page alias of the row of `pages`
 * @param value alias for the rows
 */
export function valuesOf(property: PropertyDefinition, page: string, value: string, scope: Scope): Source {
  const where = sql`${sql.ref(`${value}.workspace_id`)} = ${scope.workspaceId}
    and ${sql.ref(`${value}.page_id`)} = ${sql.ref(`${page}.id`)}
    and ${sql.ref(`${value}.property_id`)} = ${property.id}`;
  return {
    tables: sql`property_values as ${sql.ref(value)}`,
    where: property.type === "relation" ? sql`${where} and ${isVisible(value, scope)}` : where,
  };
}

/** Whether the page that an element of a relation names is out of the trash: else the value does not show it. */
function isVisible(value: string, scope: Scope): Fragment {
  const target = scope.alias("t");
  return existsSql(sql`pages as ${sql.ref(target)}
    where ${sql.ref(`${target}.workspace_id`)} = ${scope.workspaceId}
      and ${sql.ref(`${target}.id`)} = ${sql.ref(`${value}.text_key`)}
      and ${sql.ref(`${target}.in_trash`)} = 0`);
}

/** Whether an element of a property's value passes a test. */
export function hasElement(property: PropertyDefinition, test: Test, page: string, scope: Scope): Fragment {
  const value = scope.alias("v");
  const values = valuesOf(property, page, value, scope);
  return existsSql(fromSql(values, testSql(test, columnsOfFound(value))));
}

/**
 * The pages that a relation leads to.
 *
 * @param page alias of the row of `pages` that has the relation
 * @param related alias for the rows
 * @param link alias for the rows of the relation's elements
 */
export function relatedTo(
  relationId: string,
  page: string,
  related: string,
  scope: Scope,
  link = scope.alias("r"),
): Source {
  return {
    tables: sql`property_values as ${sql.ref(link)} cross join pages as ${sql.ref(related)}`,
    where: sql`${sql.ref(`${link}.workspace_id`)} = ${scope.workspaceId}
      and ${sql.ref(`${link}.page_id`)} = ${sql.ref(`${page}.id`)}
      and ${sql.ref(`${link}.property_id`)} = ${relationId}
      and ${sql.ref(`${related}.workspace_id`)} = ${scope.workspaceId}
      and ${sql.ref(`${related}.id`)} = ${sql.ref(`${link}.text_key`)}
      and ${sql.ref(`${related}.in_trash`)} = 0`,
  };
}
