import { buildCondition } from "./conditions.js";
import {
  crossJoin,
  buildFromPage,
  buildFromPageIds,
  PAGE_ALIAS,
  PAGE_BYTES,
  type FromClause,
} from "./from-clauses.js";
import { buildCandidateSelect, buildPageSetPredicate, type LookupSet } from "./index-lookups.js";
import { hasDescendingIds, type PageListQuery, type PageSet } from "./page-list-query.js";
import { ALWAYS_TRUE, buildSortOperator, buildDirection, type Fragment, sql } from "./sql.js";
import { buildSortKey } from "./sort-keys.js";

/** Pages that a SELECT reads: the results of a lookup set, the pages with the given ids, or all pages of the database. */
export type Candidates = { readonly lookupSet: LookupSet } | { readonly ids: readonly string[] } | "all";

/**
 * Builds a SELECT that filters all candidates by the condition, computes their sort keys k0, k1 and so on, and sorts them.
 * In the SQL, p is a candidate, a row of `pages`, and x a candidate with its sort keys.
 */
export function buildSortedSelect(query: PageListQuery, candidates: Candidates): Fragment {
  const { pageSet, condition, sorts, count } = query;
  const keys = sorts.map(({ key }, index) => sql`, ${buildSortKey(key)} as ${sql.ref(`k${index}`)}`);
  const { tables, where } = buildFromCandidates(pageSet, candidates);
  const matching = sql`${where} and ${buildCondition(condition, PAGE_ALIAS)}`;
  const order = sorts.map(
    ({ descending }, index) => sql`${sql.ref(`x.k${index}`)} ${buildDirection(descending)} nulls last`,
  );
  const idOrder = sql`x.id ${buildDirection(hasDescendingIds(query))}`;
  return sql`
    select * from (
      select p.id, p.version, p.last_edited_time, ${PAGE_BYTES} as bytes ${sql.join(keys, "")} from ${tables} where ${matching}
    ) as x
    where ${buildAfterPosition(query)} order by ${sql.join([...order, idOrder])} limit ${count}
  `;
}

function buildFromCandidates(pageSet: PageSet, candidates: Candidates): FromClause {
  if (candidates !== "all" && "lookupSet" in candidates) {
    const found = buildCandidateSelect(candidates.lookupSet, pageSet);
    return crossJoin(
      { tables: sql`(${found}) as h`, where: ALWAYS_TRUE },
      buildFromPage(PAGE_ALIAS, sql`h.page_id`, pageSet.inTrash),
    );
  }
  const { tables, where } =
    candidates === "all"
      ? { tables: sql`pages as p`, where: ALWAYS_TRUE }
      : buildFromPageIds(PAGE_ALIAS, candidates.ids);
  return { tables, where: sql`${where} and ${buildPageSetPredicate(PAGE_ALIAS, pageSet)}` };
}

/**
 * Builds the predicate that a row comes after the position of the query. A CASE compares one key after another, because SQLite
 * took 5 s to plan the same as ANDs and ORs of 100 keys, whose length grows with the square.
 */
function buildAfterPosition(query: PageListQuery): Fragment {
  const { sorts, after } = query;
  if (after === undefined) return ALWAYS_TRUE;
  const hasLaterId = sql`x.id ${buildSortOperator(hasDescendingIds(query))} ${after.id}`;
  const branches = sorts.map(({ descending }, index) => {
    const key = sql.ref(`x.k${index}`);
    const value = after.values[index] ?? null;
    // Nulls sort last, so only rows with a null key can follow a null key.
    if (value === null) return sql`when ${key} is not null then false`;
    return sql`when ${key} is null or ${key} ${buildSortOperator(descending)} ${value} then true
      when ${key} <> ${value} then false`;
  });
  return branches.length === 0 ? hasLaterId : sql`case ${sql.join(branches, " ")} else ${hasLaterId} end`;
}
