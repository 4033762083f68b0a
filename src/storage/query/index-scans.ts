import { MAX_SKIPPED_PAGES } from "../../budgets.js";
import type { CursorPosition } from "../../domain/query/query-cursor.js";
import type { Sort } from "../../domain/query/sort.js";
import { isListProperty } from "../../domain/schema.js";
import { buildCondition } from "./conditions.js";
import { buildPageSetPredicate, buildFromLookup, type ElementLookup } from "./index-lookups.js";
import type { PageListQuery } from "./page-list-query.js";
import {
  ALWAYS_TRUE,
  joinWithAnd,
  buildExists,
  buildSortOperator,
  buildDirection,
  type Fragment,
  sql,
} from "./sql.js";
import { splitSortRanges } from "./sort-conditions.js";
import {
  buildIsElementOf,
  crossJoin,
  buildFromPage,
  PAGE_ALIAS,
  PAGE_BYTES,
  type FromClause,
} from "./from-clauses.js";
import { buildRangePredicate } from "./predicates.js";

/*
 * Index scans: SELECTs in the order of an index, so that the database stops after the requested rows. Several scans, run one
 * after another, give one sorted list, for example first the pages with a value, and then the pages without one. In the SQL,
 * p is the listed page, and s is its value of the sorted or searched property, a row of property_values. In
 * subqueries, v is another value of that page.
 */

/** A SELECT in the order of an index. Its rows follow the rows of the previous scan of the list. */
export interface IndexScan {
  /** Builds the SELECT of the first `count` rows. */
  readonly buildSelect: (count: number) => Fragment;
  /** Only for scans of the pages without a value, which can skip all other pages of the database. */
  readonly bounded?: BoundedScan;
}

/** The beginning of an index scan, which skips at most MAX_SKIPPED_PAGES pages. */
interface BoundedScan extends IndexScan {
  /** SELECT of a row if there are pages behind this beginning. */
  readonly restSelect: Fragment;
}

/** FROM clause of an index scan, and the columns that its index is ordered by: the sort key and the id of the page. */
interface ScanSource {
  readonly source: FromClause;
  /** The bytes of the page's values; by default PAGE_BYTES. */
  readonly bytes?: Fragment;
  /** The sort key; a constant when it is the same for all rows. */
  readonly key: Fragment;
  readonly id: Fragment;
}

const NULL_KEY = sql`null`;

/** Builds the scans for a query without sorts: of the pages that a lookup finds or, without one, of all searched pages. */
export function buildScansById(query: PageListQuery, lookup: ElementLookup | undefined): IndexScan[] {
  const rows = lookup === undefined ? createPageSource(query, NULL_KEY) : createLookupSource(query, lookup);
  return [createScanById(rows, false, query.after?.id)];
}

/** Builds the scans for a query with one sort; undefined when no index has its order. */
export function buildScansBySort(query: PageListQuery, sort: Sort): IndexScan[] | undefined {
  const { key, descending } = sort;
  switch (key.kind) {
    case "time":
      return [createScanByKey(createPageSource(query, sql.ref(`p.${key.column}`)), descending, query.after)];
    case "text":
    case "number":
      return isListProperty(key.property)
        ? undefined
        : buildScansByValue(query, key.property.id, `${key.kind}_key`, descending);
    case "checkbox":
      return buildScansByCheckbox(query, key.property.id, descending);
    default:
      return undefined;
  }
}

function buildScansByValue(
  query: PageListQuery,
  propertyId: string,
  column: "text_key" | "number_key",
  descending: boolean,
): IndexScan[] {
  const { after } = query;
  const key = sql.ref(`s.${column}`);
  if (column === "number_key") {
    const { ranges, rest } = splitSortRanges(query.condition, propertyId);
    if (ranges.length > 0) {
      const inRanges = joinWithAnd(ranges.map((range) => buildRangePredicate(range, key)));
      const values = createValueSource({ ...query, condition: rest }, propertyId, key, inRanges);
      // Pages without a value are in no range.
      return [createScanByKey(values, descending, after)];
    }
  }
  const startsWithoutValue = after !== undefined && after.values[0] === null;
  const hasNoValue = buildHasNoValue(propertyId, ALWAYS_TRUE);
  const pages = continueById(
    createPageSource(query, NULL_KEY),
    descending,
    startsWithoutValue ? after.id : undefined,
  );
  const scanWithoutValue = createScanWithoutValue(pages, hasNoValue, descending);
  if (startsWithoutValue) return [scanWithoutValue];
  const values = createValueSource(query, propertyId, key, sql`${key} is not null`);
  return [createScanByKey(values, descending, after), scanWithoutValue];
}

function buildScansByCheckbox(query: PageListQuery, propertyId: string, descending: boolean): IndexScan[] {
  const { after } = query;
  const isUnchecked = buildHasNoValue(propertyId, sql`coalesce(v.number_key, 0) = 1`);
  const scan = (isChecked: boolean, afterId?: string): IndexScan => {
    if (isChecked) {
      const checked = createValueSource(query, propertyId, sql.lit(1), sql`s.number_key = 1`);
      return createScanById(checked, descending, afterId);
    }
    const pages = continueById(createPageSource(query, sql.lit(0)), descending, afterId);
    return createScanWithoutValue(pages, isUnchecked, descending);
  };
  const startsInSecond = after !== undefined && after.values[0] === (descending ? 0 : 1);
  return startsInSecond ? [scan(!descending, after.id)] : [scan(descending, after?.id), scan(!descending)];
}

/** Builds the predicate that the page has no value of a property that meets a condition on its row `v`. */
function buildHasNoValue(propertyId: string, condition: Fragment): Fragment {
  const isElement = buildIsElementOf(sql`v`, propertyId, PAGE_ALIAS);
  return sql`not ${buildExists(sql`property_values as v where ${isElement} and ${condition}`)}`;
}

/** Creates the scan of rows in the order of their sort keys and ids. */
function createScanByKey(
  rows: ScanSource,
  descending: boolean,
  after: CursorPosition | undefined,
): IndexScan {
  const { key, id } = rows;
  const direction = buildDirection(descending);
  const value = after?.values[0];
  const continued =
    after === undefined || value === undefined
      ? rows
      : withCondition(rows, sql`(${key}, ${id}) ${buildSortOperator(descending)} (${value}, ${after.id})`);
  return {
    buildSelect: (count) =>
      sql`${buildSelect(continued)} order by ${key} ${direction}, ${id} ${direction} limit ${count}`,
  };
}

/** Creates the scan of rows that all have the same sort key, in the order of their ids. */
function createScanById(rows: ScanSource, descending: boolean, after: string | undefined): IndexScan {
  const select = buildSelect(continueById(rows, descending, after));
  return {
    buildSelect: (count) => sql`${select} order by ${rows.id} ${buildDirection(descending)} limit ${count}`,
  };
}

/** Creates the scan of pages without a value in the order of their ids. It skips the pages with a value. */
function createScanWithoutValue(pages: ScanSource, hasNoValue: Fragment, descending: boolean): IndexScan {
  const { tables, where } = pages.source;
  const first = sql`(select p.id, p.version, ${PAGE_BYTES} as bytes from ${tables} where ${where}
    order by p.id ${buildDirection(descending)} limit ${MAX_SKIPPED_PAGES}) as p`;
  const source = { tables: first, where: hasNoValue };
  return {
    ...createScanById(withCondition(pages, hasNoValue), descending, undefined),
    bounded: {
      ...createScanById({ ...pages, source, bytes: sql`p.bytes` }, descending, undefined),
      restSelect: sql`select 1 from ${tables} where ${where} limit 1 offset ${MAX_SKIPPED_PAGES}`,
    },
  };
}

/** Restricts rows to the ones after an id, in their order; all rows if `after` is undefined. */
function continueById(rows: ScanSource, descending: boolean, after: string | undefined): ScanSource {
  return after === undefined
    ? rows
    : withCondition(rows, sql`${rows.id} ${buildSortOperator(descending)} ${after}`);
}

function buildSelect({ source, bytes = PAGE_BYTES, key }: ScanSource): Fragment {
  return sql`select p.id, p.version, ${bytes} as bytes, ${key} as k0 from ${source.tables} where ${source.where}`;
}

function withCondition(rows: ScanSource, condition: Fragment): ScanSource {
  const { tables, where } = rows.source;
  return { ...rows, source: { tables, where: sql`${where} and ${condition}` } };
}

function createPageSource({ pageSet, condition }: PageListQuery, key: Fragment): ScanSource {
  const where = sql`${buildPageSetPredicate(PAGE_ALIAS, pageSet)} and ${buildCondition(condition, PAGE_ALIAS)}`;
  return { source: { tables: sql`pages as p`, where }, key, id: sql`p.id` };
}

function createValueSource(
  query: PageListQuery,
  propertyId: string,
  key: Fragment,
  valuePredicate: Fragment,
): ScanSource {
  const { pageSet } = query;
  const values: FromClause = {
    tables: sql`property_values as s`,
    where: sql`s.workspace_id = ${sql.workspaceId} and s.database_id = ${pageSet.databaseId}
      and s.property_id = ${propertyId} and ${valuePredicate}`,
  };
  return { source: crossJoin(values, buildFromPageOfValue(query)), key, id: sql`s.page_id` };
}

function createLookupSource(query: PageListQuery, lookup: ElementLookup): ScanSource {
  const { pageSet } = query;
  const found = buildFromLookup(lookup, sql`s`, pageSet);
  const { property } = lookup;
  const values = isListProperty(property)
    ? { ...found, where: joinWithAnd([found.where, buildIsFirstOccurrence(property.id)]) }
    : found;
  return { source: crossJoin(values, buildFromPageOfValue(query)), key: NULL_KEY, id: sql`s.page_id` };
}

/** Builds the predicate that no earlier element is the same. Imports, and reverse links being added, can have duplicates. */
function buildIsFirstOccurrence(propertyId: string): Fragment {
  return sql`not ${buildExists(sql`property_values as v where v.workspace_id = ${sql.workspaceId}
    and v.database_id = s.database_id and v.property_id = ${propertyId} and v.text_key = s.text_key
    and v.page_id = s.page_id and v.ordinal < s.ordinal`)}`;
}

function buildFromPageOfValue({ pageSet, condition }: PageListQuery): FromClause {
  const page = buildFromPage(PAGE_ALIAS, sql`s.page_id`, pageSet.inTrash);
  return { ...page, where: sql`${page.where} and ${buildCondition(condition, PAGE_ALIAS)}` };
}
