import { MAX_KEY_LENGTH } from "../../domain/properties/index-rows.js";
import { type Condition, type ElementTest, isPointRange } from "../../domain/query/condition.js";
import type { StorageScope } from "../tables.js";
import { selectPagesWithText } from "../pages/text-index.js";
import { type Fragment, sql } from "./sql.js";
import { buildFromRowsByKey, type FromClause } from "./from-clauses.js";
import type { PageSet } from "./page-list-query.js";
import {
  getIndexedColumns,
  getKeyColumn,
  getUnindexedColumns,
  buildRangePredicate,
  buildTestPredicate,
} from "./predicates.js";

/*
 * Index lookups for a condition. They find candidates: every page that meets the condition, and possibly others. The query
 * therefore applies the whole condition to the candidates. An element is one item of a property's value, such as one option
 * of a multi-select; it has a row in property_values.
 */

/** A simple condition that an index can find pages for. */
type Lookup = Extract<Condition, { kind: "element" | "time" }>;

/** A lookup in the index of property values. */
export type ElementLookup = Extract<Condition, { kind: "element" }>;

/** Lookups whose results together contain every page that meets a condition. */
export type LookupSet = readonly Lookup[];

/** Finds the lookup sets for a condition, the most selective first. */
export function findLookupSets(condition: Condition): LookupSet[] {
  return collectLookupSets(condition).sort((one, other) => estimateCost(one) - estimateCost(other));
}

function collectLookupSets(condition: Condition): LookupSet[] {
  switch (condition.kind) {
    case "element":
    case "time":
      return [[condition]];
    // A page must meet every member, so the lookups for one member find all pages.
    case "and":
      return condition.members.flatMap(collectLookupSets);
    // A page may meet only one member, so each member needs lookups.
    case "or": {
      const bestOfEach = condition.members.map((member) => findLookupSets(member)[0] ?? []);
      const isComplete = bestOfEach.length > 0 && bestOfEach.every((lookupSet) => lookupSet.length > 0);
      return isComplete ? [bestOfEach.flat()] : [];
    }
    default:
      return [];
  }
}

/** Estimated costs of lookups. Only their order matters. */
const EXACT_COST = 0;
const PREFIX_COST = 1;
const RANGE_COST = 2;
const SCAN_COST = 3;

/** Whether a lookup set may read every value of a property, which is slow with many pages. */
export function mayScanValues(lookupSet: LookupSet): boolean {
  return estimateCost(lookupSet) >= SCAN_COST;
}

/** Estimates the cost of a lookup set: the cost of its most expensive lookup. */
function estimateCost(lookupSet: LookupSet): number {
  return Math.max(...lookupSet.map(estimateLookupCost));
}

function estimateLookupCost(lookup: Lookup): number {
  if (lookup.kind === "time") return RANGE_COST;
  if (isExactTest(lookup.test)) return EXACT_COST;
  if (needsTextScan(lookup.test)) return SCAN_COST;
  return lookup.test.kind === "text" ? PREFIX_COST : RANGE_COST;
}

/** Whether a test needs more than the index of text_key, whose MAX_KEY_LENGTH characters can begin many longer texts. */
export function needsTextScan(test: ElementTest): test is ElementTest & { kind: "text" } {
  if (test.kind !== "text") return false;
  return test.operator === "contains" || test.operator === "ends_with" || test.text.length >= MAX_KEY_LENGTH;
}

/** Returns the only lookup of a set if it finds a single index key, whose pages are ordered by id and need no sorting. */
export function findExactLookup([lookup, ...others]: LookupSet): ElementLookup | undefined {
  const isExact = lookup?.kind === "element" && isExactTest(lookup.test);
  return isExact && others.length === 0 ? lookup : undefined;
}

function isExactTest(test: ElementTest): boolean {
  if (test.kind === "text") return test.operator === "equals" && !needsTextScan(test);
  return test.kind === "range" ? isPointRange(test.range) : test.kind === "id";
}

/** Builds the FROM clause of the elements that a lookup finds. `value` is the alias for the rows. */
type FromBuilder = (lookup: ElementLookup, value: Fragment, pageSet: PageSet) => FromClause;

/** Builds a SELECT of the ids of the pages that a lookup finds, with duplicates. */
function buildLookupSelect(lookup: Lookup, pageSet: PageSet, buildFrom: FromBuilder): Fragment {
  if (lookup.kind === "time") {
    const page = sql.alias("p");
    const time = sql`${page}.${sql.ref(lookup.column)}`;
    const pages = sql`select ${page}.id as page_id from pages as ${page}
      where ${buildPageSetPredicate(page, pageSet)} and ${buildRangePredicate(lookup.range, time)}`;
    return sql.byDialect({
      sqlite: pages,
      // Without statistics PostgreSQL expects a single page, and may read all pages in another index. The order makes the index of
      // the time cheaper. It is in a subquery, because a UNION allows none.
      postgres: sql`select page_id from (${pages} order by ${time}, ${page}.id) as ${sql.alias("o")}`,
    });
  }
  const value = sql.alias("v");
  const { tables, where } = buildFrom(lookup, value, pageSet);
  return sql`select ${value}.page_id as page_id from ${tables} where ${where}`;
}

/** Builds the FROM clause of the elements that a lookup finds with an index. It excludes nulls, as the partial indexes do. */
export function buildFromLookup(
  { property, test }: ElementLookup,
  value: Fragment,
  { databaseId }: PageSet,
): FromClause {
  const key =
    test.kind === "range" ? "number_key" : test.kind === "exists" ? getKeyColumn(property) : "text_key";
  return {
    tables: sql`property_values as ${value}`,
    where: sql`${value}.workspace_id = ${sql.workspaceId}
      and ${value}.database_id = ${databaseId} and ${value}.property_id = ${property.id}
      and ${value}.${sql.ref(key)} is not null and ${buildTestPredicate(test, getIndexedColumns(value))}`,
  };
}

/** Creates a FromBuilder that uses the text index for texts that it can find, and buildFromLookup for all other elements. */
export function preferTextIndex(scope: StorageScope): FromBuilder {
  return (lookup, value, pageSet) => {
    const { property, test } = lookup;
    const pages = needsTextScan(test) ? selectPagesWithText(scope, property.id, [test.text]) : undefined;
    if (pages === undefined) return buildFromLookup(lookup, value, pageSet);
    const found = sql.alias("f");
    const values = buildFromRowsByKey(
      "property_values",
      value,
      (prefix) => sql`${prefix}workspace_id = ${sql.workspaceId}
        and ${prefix}page_id = ${found}.page_id and ${prefix}property_id = ${property.id}`,
    );
    return {
      tables: sql`(${pages}) as ${found} cross join ${values.tables}`,
      where: sql`${values.where} and ${value}.database_id = ${pageSet.databaseId}
        and ${buildTestPredicate(test, getUnindexedColumns(value))}`,
    };
  };
}

/** Builds the predicate that a row of `pages` is one of the searched pages. */
export function buildPageSetPredicate(page: Fragment, pageSet: PageSet): Fragment {
  return sql`${page}.workspace_id = ${sql.workspaceId}
    and ${page}.parent_id = ${pageSet.databaseId}
    and ${page}.in_trash = ${pageSet.inTrash ? 1 : 0}`;
}

/** Builds a SELECT that counts the results of each lookup set, with duplicates, up to `limit` per lookup, as c0, c1 and so on. */
export function buildCandidateCounts(
  lookupSets: readonly LookupSet[],
  limit: number,
  pageSet: PageSet,
): Fragment {
  const counts = lookupSets.map((lookupSet, index) => {
    const parts = lookupSet.map((lookup) => {
      const found = sql.alias("c");
      return sql`(select count(*) from (${buildLookupSelect(lookup, pageSet, buildFromLookup)} limit ${limit}) as ${found})`;
    });
    return sql`${sql.join(parts, " + ")} as ${sql.ref(`c${index}`)}`;
  });
  return sql`select ${sql.join(counts)}`;
}

/** Builds a SELECT of the ids of the pages that a lookup set finds, without duplicates. `buildFrom` chooses the index. */
export function buildCandidateSelect(
  lookupSet: LookupSet,
  pageSet: PageSet,
  buildFrom: FromBuilder = buildFromLookup,
): Fragment {
  const parts = lookupSet.map((lookup) => buildLookupSelect(lookup, pageSet, buildFrom));
  const [only] = parts;
  return parts.length === 1 && only !== undefined
    ? sql`select distinct page_id from (${only}) as ${sql.alias("h")}`
    : sql.join(parts, " union ");
}
