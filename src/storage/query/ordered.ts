import { sql } from "kysely";
import { conditionSql } from "./conditions.js";
import { driverSql, inExtent, type Driver } from "./drivers.js";
import type { Listing } from "./listing.js";
import { allOf, anyOf, Scope, type Fragment } from "./scope.js";
import { sortKeySql } from "./sort-keys.js";

/** Which pages are looked at: those that a driver finds, those with the ids, or all of the database. */
export type Candidates = { readonly driver: Driver } | { readonly ids: readonly string[] } | "all";

/** A SELECT that computes the sort keys of all the pages that fit and puts them in order. */
export function orderedSql(listing: Listing, candidates: Candidates): Fragment {
  const { workspaceId, extent, condition, sorts, count } = listing;
  const scope = new Scope(workspaceId);
  const keys = sorts.map(
    ({ key }, index) => sql`, ${sortKeySql(key, "p", scope)} as ${sql.ref(`k${index}`)}`,
  );
  const { tables, found } = candidateSource(listing, candidates, scope);
  const where = allOf([...found, inExtent("p", extent, scope), conditionSql(condition, "p", scope)]);
  const order = sorts.map(({ descending }, index) => {
    const key = sql.ref(`x.k${index}`);
    return descending ? sql`${key} desc nulls last` : sql`${key} asc nulls last`;
  });
  return sql`
    select * from (select p.id, p.version ${sql.join(keys, sql``)} from ${tables} where ${where}) as x
    where ${afterPosition(listing)} order by ${sql.join([...order, sql`x.id`])} limit ${count}
  `;
}

/** The candidates as rows of `pages`, called p. */
function candidateSource(
  { extent }: Listing,
  candidates: Candidates,
  scope: Scope,
): { tables: Fragment; found: Fragment[] } {
  if (candidates === "all") return { tables: sql`pages as p`, found: [] };
  if ("ids" in candidates) {
    // PostgreSQL takes no empty list.
    const found = candidates.ids.map((id) => sql`${id}`);
    return {
      tables: sql`pages as p`,
      found: [found.length === 0 ? anyOf([]) : sql`p.id in (${sql.join(found)})`],
    };
  }
  // SQLite reads the tables of a cross join in the order in which they stand.
  const tables = sql`(${driverSql(candidates.driver, extent, scope)}) as h cross join pages as p`;
  return { tables, found: [sql`p.id = h.page_id`] };
}

/** Whether a row comes after the place where the list begins. */
function afterPosition({ sorts, after }: Listing): Fragment {
  if (after === undefined) return allOf([]);
  const { values, id } = after;
  const same = (index: number): Fragment => {
    const key = sql.ref(`x.k${index}`);
    const value = values[index] ?? null;
    return value === null ? sql`${key} is null` : sql`${key} = ${value}`;
  };
  const later = sorts.flatMap(({ descending }, index) => {
    const key = sql.ref(`x.k${index}`);
    const value = values[index] ?? null;
    // Nothing comes after the empty ones but further ones.
    if (value === null) return [];
    const beyond = descending ? sql`${key} < ${value}` : sql`${key} > ${value}`;
    const before = sorts.slice(0, index).map((_, earlier) => same(earlier));
    return [allOf([...before, sql`(${beyond} or ${key} is null)`])];
  });
  return anyOf([...later, allOf([...sorts.map((_, index) => same(index)), sql`x.id > ${id}`])]);
}
