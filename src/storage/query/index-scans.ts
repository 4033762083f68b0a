import { MAX_SKIPPED_PAGES } from "../../budgets.js";
import type { Condition } from "../../domain/query/condition.js";
import type { CursorPosition } from "../../domain/query/query-cursor.js";
import type { Sort } from "../../domain/query/sort.js";
import { isListProperty } from "../../domain/schema.js";
import { buildCondition } from "./conditions.js";
import { buildPageSetPredicate, buildFromLookup, type ElementLookup } from "./index-lookups.js";
import type { PageListQuery, PageSet } from "./page-list-query.js";
import {
  ALWAYS_TRUE,
  joinWithAnd,
  buildExists,
  buildSortOperator,
  buildDirection,
  type Fragment,
  type Parameter,
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
  readonly source: FromClause;
  /** The sort key; a constant when it is the same for all rows. */
  readonly key: Fragment;
  readonly orderBy: Fragment;
  /** Only for scans of the pages without a value, which can skip all other pages of the database. */
  readonly skipsOthers?: { readonly hasNoValue: Fragment; readonly orderBy: Fragment };
}

/** Builds the SELECT of the first `count` rows of a scan. */
export function buildScanSelect({ source, key, orderBy, skipsOthers }: IndexScan, count: number): Fragment {
  const { tables, where } = source;
  const condition = skipsOthers === undefined ? where : sql`${where} and ${skipsOthers.hasNoValue}`;
  return sql`select p.id, p.version, p.last_edited_time, ${PAGE_BYTES} as bytes, ${key} as k0 from ${tables} where ${condition}
    order by ${orderBy} limit ${count}`;
}

/**
 * Builds two SELECTs for the beginning of a scan that skips pages, which consists of MAX_SKIPPED_PAGES pages: of its first `count`
 * rows, and of a row if there are pages behind it. Returns undefined for other scans.
 */
export function buildBoundedScan({ source, key, orderBy, skipsOthers }: IndexScan, count: number) {
  if (skipsOthers === undefined) return undefined;
  const pages = sql`from ${source.tables} where ${source.where} order by ${orderBy}`;
  const first = sql`select p.id, p.version, p.last_edited_time, ${PAGE_BYTES} as bytes ${pages} limit ${MAX_SKIPPED_PAGES}`;
  return {
    rowSelect: sql`select p.id, p.version, p.last_edited_time, p.bytes, ${key} as k0 from (${first}) as p
      where ${skipsOthers.hasNoValue} order by ${skipsOthers.orderBy} limit ${count}`,
    restSelect: sql`select 1 ${pages} limit 1 offset ${MAX_SKIPPED_PAGES}`,
  };
}

/** Order of an index scan, by a sort key and the id of the page, or only by the id. */
interface ScanOrder {
  /** Column of the sort key, or none. */
  readonly keyColumns: readonly Fragment[];
  readonly descending: boolean;
  /** Values of the key column and the id to continue after; empty for the beginning. */
  readonly after: readonly Parameter[];
}

const NULL_KEY = sql`null`;

/** Builds the scans for a query without sorts: of the pages that a lookup finds or, without one, of all searched pages. */
export function buildScansById(query: PageListQuery, lookup: ElementLookup | undefined): IndexScan[] {
  const order = createOrderById(false, query.after?.id);
  return [
    lookup === undefined ? createPageScan(query, NULL_KEY, order) : createLookupScan(query, lookup, order),
  ];
}

/** Builds the scans for a query with one sort; undefined when no index has its order. */
export function buildScansBySort(query: PageListQuery, sort: Sort): IndexScan[] | undefined {
  const { key, descending } = sort;
  switch (key.kind) {
    case "time":
      return [buildScanByTime(query, sql.ref(`p.${key.column}`), descending)];
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

function buildScanByTime(query: PageListQuery, column: Fragment, descending: boolean): IndexScan {
  return createPageScan(query, column, createOrderByKey(column, descending, query.after));
}

function buildScansByValue(
  query: PageListQuery,
  propertyId: string,
  column: "text_key" | "number_key",
  descending: boolean,
): IndexScan[] {
  const { after } = query;
  const key = sql.ref(`s.${column}`);
  const orderByKey = createOrderByKey(key, descending, after);
  if (column === "number_key") {
    const { ranges, rest } = splitSortRanges(query.condition, propertyId);
    if (ranges.length > 0) {
      const inRanges = joinWithAnd(ranges.map((range) => buildRangePredicate(range, key)));
      // Pages without a value are in no range.
      return [createValueScan({ ...query, condition: rest }, propertyId, key, inRanges, orderByKey)];
    }
  }
  const startsWithoutValue = after !== undefined && after.values[0] === null;
  const hasNoValue = buildHasNoValue(propertyId, ALWAYS_TRUE);
  const orderById = createOrderById(descending, startsWithoutValue ? after.id : undefined);
  const scanWithoutValue = createScanWithoutValue(query, NULL_KEY, orderById, hasNoValue);
  if (startsWithoutValue) return [scanWithoutValue];
  return [createValueScan(query, propertyId, key, sql`${key} is not null`, orderByKey), scanWithoutValue];
}

function buildScansByCheckbox(query: PageListQuery, propertyId: string, descending: boolean): IndexScan[] {
  const { after } = query;
  const isUnchecked = buildHasNoValue(propertyId, sql`coalesce(v.number_key, 0) = 1`);
  const scan = (isChecked: boolean, afterId?: string): IndexScan => {
    const order = createOrderById(descending, afterId);
    return isChecked
      ? createValueScan(query, propertyId, sql.lit(1), sql`s.number_key = 1`, order)
      : createScanWithoutValue(query, sql.lit(0), order, isUnchecked);
  };
  const startsInSecond = after !== undefined && after.values[0] === (descending ? 0 : 1);
  return startsInSecond ? [scan(!descending, after.id)] : [scan(descending, after?.id), scan(!descending)];
}

/** Builds the predicate that the page has no value of a property that meets a condition on its row `v`. */
function buildHasNoValue(propertyId: string, condition: Fragment): Fragment {
  const isElement = buildIsElementOf(sql`v`, propertyId, PAGE_ALIAS);
  return sql`not ${buildExists(sql`property_values as v where ${isElement} and ${condition}`)}`;
}

/** Creates the order of rows that all have the same sort key. */
function createOrderById(descending: boolean, after: string | undefined): ScanOrder {
  return { keyColumns: [], descending, after: after === undefined ? [] : [after] };
}

function createOrderByKey(
  column: Fragment,
  descending: boolean,
  after: CursorPosition | undefined,
): ScanOrder {
  const value = after?.values[0];
  return {
    keyColumns: [column],
    descending,
    after: after === undefined || value === undefined ? [] : [value, after.id],
  };
}

/** Creates the scan of pages without a value in the order of their ids. It skips the pages with a value. */
function createScanWithoutValue(
  query: PageListQuery,
  key: Fragment,
  order: ScanOrder,
  hasNoValue: Fragment,
): IndexScan {
  const orderBy = buildOrderBy([sql`p.id`], order);
  return { ...createPageScan(query, key, order), skipsOthers: { hasNoValue, orderBy } };
}

function buildOrderBy(columns: readonly Fragment[], { descending }: ScanOrder): Fragment {
  return sql.join(columns.map((column) => sql`${column} ${buildDirection(descending)}`));
}

/** Builds the predicate that a row comes after the start of a scan. */
function buildIsAfter(columns: readonly Fragment[], { after, descending }: ScanOrder): Fragment {
  if (after.length === 0) return ALWAYS_TRUE;
  return sql`${buildTuple(columns)} ${buildSortOperator(descending)} ${buildTuple(after)}`;
}

function buildTuple(parts: readonly (Fragment | Parameter)[]): Fragment {
  return sql`(${sql.join(parts.map((part) => sql`${part}`))})`;
}

function createPageScan({ pageSet, condition }: PageListQuery, key: Fragment, order: ScanOrder): IndexScan {
  const columns = [...order.keyColumns, sql`p.id`];
  const setColumns = [sql`p.workspace_id`, sql`p.parent_id`, sql`p.in_trash`];
  const isInRange = sql`${buildPageSetPredicate(PAGE_ALIAS, pageSet)} and ${buildIsAfter(columns, order)}`;
  const where = mayUseTimeIndex(condition)
    ? isInRange
    : sql.byDialect({ sqlite: isInRange, postgres: buildPageRange(setColumns, columns, pageSet, order) });
  return {
    source: { tables: sql`pages as p`, where: sql`${where} and ${buildCondition(condition, PAGE_ALIAS)}` },
    key,
    orderBy: sql.byDialect({
      sqlite: buildOrderBy(columns, order),
      postgres: buildOrderBy([...setColumns, ...columns], order),
    }),
  };
}

/** Whether an index of a time may find the pages of a condition better than the index of the sort. */
function mayUseTimeIndex(condition: Condition): boolean {
  if (condition.kind === "and" || condition.kind === "or") return condition.members.some(mayUseTimeIndex);
  return condition.kind === "time";
}

/** Builds the range of the searched pages in an index of all these columns, so that PostgreSQL uses this one, see DECISIONS.md. */
function buildPageRange(
  setColumns: readonly Fragment[],
  columns: readonly Fragment[],
  { databaseId, inTrash }: PageSet,
  { descending, after }: ScanOrder,
): Fragment {
  const set = [sql.workspaceId, databaseId, inTrash ? 1 : 0];
  const [from, to] = descending ? [sql`<=`, sql`>=`] : [sql`>=`, sql`<=`];
  const startColumns = [...setColumns, ...columns.slice(0, after.length)];
  const range = sql`${buildTuple(startColumns)} ${from} ${buildTuple([...set, ...after])}
    and ${buildTuple(setColumns)} ${to} ${buildTuple(set)}`;
  // The start is not excluded by its operator: PostgreSQL would expect no pages at all after those of the first or last workspace.
  return after.length === 0 ? range : sql`${range} and ${buildTuple(columns)} <> ${buildTuple(after)}`;
}

function createValueScan(
  query: PageListQuery,
  propertyId: string,
  key: Fragment,
  valuePredicate: Fragment,
  order: ScanOrder,
): IndexScan {
  const { pageSet } = query;
  const values: FromClause = {
    tables: sql`property_values as s`,
    where: sql`s.workspace_id = ${sql.workspaceId} and s.database_id = ${pageSet.databaseId}
      and s.property_id = ${propertyId} and ${valuePredicate}`,
  };
  return joinPagesOfValues(query, values, key, order);
}

function createLookupScan(query: PageListQuery, lookup: ElementLookup, order: ScanOrder): IndexScan {
  const { pageSet } = query;
  const found = buildFromLookup(lookup, sql`s`, pageSet);
  const { property } = lookup;
  const values = isListProperty(property)
    ? { ...found, where: joinWithAnd([found.where, buildIsFirstOccurrence(property.id)]) }
    : found;
  return joinPagesOfValues(query, values, NULL_KEY, order);
}

function joinPagesOfValues(
  query: PageListQuery,
  values: FromClause,
  key: Fragment,
  order: ScanOrder,
): IndexScan {
  const columns = [...order.keyColumns, sql`s.page_id`];
  const { tables, where } = crossJoin(values, buildFromPageOfValue(query));
  return {
    source: { tables, where: sql`${where} and ${buildIsAfter(columns, order)}` },
    key,
    orderBy: buildOrderBy(columns, order),
  };
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
