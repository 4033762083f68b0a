import type { CursorValue } from "../../domain/cursor.js";
import type { Position } from "../../domain/query/position.js";
import type { PropertyType } from "../../domain/schema.js";
import { buildCondition } from "./conditions.js";
import { buildPageSetPredicate, fromLookup, type ElementLookup } from "./index-lookups.js";
import type { Listing, EffectiveSort } from "./listing.js";
import { allOf, buildExists, type Fragment, sql, SqlContext } from "./sql.js";
import { splitSortRanges } from "./sort-conditions.js";
import { crossJoin, PAGE, type FromClause } from "./from-clauses.js";
import { buildRangePredicate } from "./predicates.js";

/*
 * SELECTs in the order of an index, so that the database stops after the requested rows. A list consists of consecutive
 * segments, for example first the pages with a value, then the pages without one. In the SQL, p is the listed page and
 * s its value of the sorted or searched property, a row of property_values.
 */

/** One part of a list. */
export interface Segment {
  /** Builds the SELECT of the first `count` rows. */
  buildSelect(count: number): Fragment;
  /**
   * Builds the SELECT of the first `count` rows with a key, by id. Only for segments in descending order, in which rows with
   * the same key are not ordered by id.
   */
  selectTied?(key: CursorValue, count: number): Fragment;
}

/** Rows of `pages`, with the alias p, ordered by key and id. */
interface IndexScan {
  readonly source: FromClause;
  /** The sort key; a constant when it is the same for all rows. */
  readonly key: Fragment;
  readonly id: Fragment;
}

const NULL_KEY = sql`null`;

/** Returns the segments of a list without sorts, of the pages that a lookup finds or of all pages of the database. */
export function buildSegmentsById(listing: Listing, lookup: ElementLookup | undefined): Segment[] {
  const indexScan = lookup === undefined ? scanPages(listing, NULL_KEY) : scanLookup(listing, lookup);
  return [{ buildSelect: (count) => selectById(indexScan, listing.after?.id, count) }];
}

/** Returns the segments of a list with one sort; undefined when no index has its order. */
export function buildSegmentsBySort(
  listing: Listing,
  { key, descending }: EffectiveSort,
): Segment[] | undefined {
  switch (key.kind) {
    case "time":
      return buildSegmentsByKey(scanPages(listing, sql.ref(`p.${key.column}`)), descending, listing.after);
    case "text":
    case "number":
      return key.single
        ? buildSegmentsByValue(listing, key.propertyId, `${key.kind}_key`, descending)
        : undefined;
    case "checkbox":
      return buildSegmentsByCheckbox(listing, key.propertyId, descending);
    default:
      return undefined;
  }
}

function buildSegmentsByValue(
  listing: Listing,
  propertyId: string,
  column: "text_key" | "number_key",
  descending: boolean,
): Segment[] {
  const { workspaceId, after } = listing;
  const key = sql.ref(`s.${column}`);
  if (column === "number_key") {
    const { ranges, rest } = splitSortRanges(listing.condition, propertyId);
    if (ranges.length > 0) {
      const inRanges = allOf(ranges.map((range) => buildRangePredicate(range, key)));
      const values = scanValues({ ...listing, condition: rest }, propertyId, key, inRanges);
      // Pages without a value are in no range.
      return buildSegmentsByKey(values, descending, after);
    }
  }
  const startsWithoutValue = after !== undefined && after.values[0] === null;
  const withoutValue = addCondition(
    scanPages(listing, NULL_KEY),
    sql`not ${buildExists(sql`property_values as n where n.workspace_id = ${workspaceId}
      and n.page_id = p.id and n.property_id = ${propertyId}`)}`,
  );
  const last: Segment = {
    buildSelect: (count) => selectById(withoutValue, startsWithoutValue ? after.id : undefined, count),
  };
  if (startsWithoutValue) return [last];
  const values = scanValues(listing, propertyId, key, sql`${key} is not null`);
  return [...buildSegmentsByKey(values, descending, after), last];
}

function buildSegmentsByCheckbox(listing: Listing, propertyId: string, descending: boolean): Segment[] {
  const { workspaceId, after } = listing;
  const unchecked = addCondition(
    scanPages(listing, sql.lit(0)),
    sql`not ${buildExists(sql`property_values as n where n.workspace_id = ${workspaceId}
      and n.page_id = p.id and n.property_id = ${propertyId} and coalesce(n.number_key, 0) = 1`)}`,
  );
  const checked = scanValues(listing, propertyId, sql.lit(1), sql`s.number_key = 1`);
  const indexScans = descending ? [checked, unchecked] : [unchecked, checked];
  const startsInSecond = after !== undefined && after.values[0] === (descending ? 0 : 1);
  return indexScans.slice(startsInSecond ? 1 : 0).map((indexScan, index): Segment => ({
    buildSelect: (count) => selectById(indexScan, index === 0 ? after?.id : undefined, count),
  }));
}

function buildSegmentsByKey(
  indexScan: IndexScan,
  descending: boolean,
  after: Position | undefined,
): Segment[] {
  const value = after?.values[0];
  const { key, id } = indexScan;
  if (!descending) {
    const rest =
      after === undefined || value === undefined
        ? indexScan
        : addCondition(indexScan, sql`(${key}, ${id}) > (${value}, ${after.id})`);
    return [{ buildSelect: (count) => sql`${buildSelect(rest)} order by ${key}, ${id} limit ${count}` }];
  }
  if (after === undefined || value === undefined) return [buildDescendingSegment(indexScan)];
  const same = addCondition(indexScan, sql`${key} = ${value}`);
  const lower = addCondition(indexScan, sql`${key} < ${value}`);
  return [{ buildSelect: (count) => selectById(same, after.id, count) }, buildDescendingSegment(lower)];
}

function buildDescendingSegment(indexScan: IndexScan): Segment {
  const { key } = indexScan;
  return {
    buildSelect: (count) => sql`${buildSelect(indexScan)} order by ${key} desc limit ${count}`,
    selectTied: (value, count) =>
      selectById(addCondition(indexScan, sql`${key} = ${value}`), undefined, count),
  };
}

/** Builds a SELECT of rows with the same key, in the order of their ids. */
function selectById(indexScan: IndexScan, after: string | undefined, count: number): Fragment {
  const continued =
    after === undefined ? indexScan : addCondition(indexScan, sql`${indexScan.id} > ${after}`);
  return sql`${buildSelect(continued)} order by ${indexScan.id} limit ${count}`;
}

function buildSelect({ source, key }: IndexScan): Fragment {
  return sql`select p.id, p.version, ${key} as k0 from ${source.tables} where ${source.where}`;
}

function addCondition(indexScan: IndexScan, condition: Fragment): IndexScan {
  const { tables, where } = indexScan.source;
  return { ...indexScan, source: { tables, where: sql`${where} and ${condition}` } };
}

function scanPages({ workspaceId, pageSet, condition }: Listing, key: Fragment): IndexScan {
  const context = new SqlContext(workspaceId);
  const where = sql`${buildPageSetPredicate(PAGE, pageSet, context)} and ${buildCondition(condition, PAGE, context)}`;
  return { source: { tables: sql`pages as p`, where }, key, id: sql`p.id` };
}

function scanValues(
  listing: Listing,
  propertyId: string,
  key: Fragment,
  valuePredicate: Fragment,
): IndexScan {
  const { workspaceId, pageSet } = listing;
  const values: FromClause = {
    tables: sql`property_values as s`,
    where: sql`s.workspace_id = ${workspaceId} and s.database_id = ${pageSet.databaseId}
      and s.property_id = ${propertyId} and ${valuePredicate}`,
  };
  return { source: crossJoin(values, fromPageOfValue(listing)), key, id: sql`s.page_id` };
}

function scanLookup(listing: Listing, lookup: ElementLookup): IndexScan {
  const { workspaceId, pageSet } = listing;
  const found = fromLookup(lookup, sql`s`, pageSet, new SqlContext(workspaceId));
  const { property } = lookup;
  const values = LIST_TYPES.has(property.type)
    ? { ...found, where: allOf([found.where, isFirstOccurrence(workspaceId, property.id)]) }
    : found;
  return { source: crossJoin(values, fromPageOfValue(listing)), key: NULL_KEY, id: sql`s.page_id` };
}

const LIST_TYPES: ReadonlySet<PropertyType> = new Set<PropertyType>(["multi_select", "people", "relation"]);

/** Predicate: no earlier element of the value is the same. A value can contain an element twice. */
function isFirstOccurrence(workspaceId: string, propertyId: string): Fragment {
  return sql`not ${buildExists(sql`property_values as d where d.workspace_id = ${workspaceId}
    and d.database_id = s.database_id and d.property_id = ${propertyId} and d.text_key = s.text_key
    and d.page_id = s.page_id and d.ordinal < s.ordinal`)}`;
}

function fromPageOfValue({ workspaceId, pageSet, condition }: Listing): FromClause {
  const context = new SqlContext(workspaceId);
  return {
    tables: sql`pages as p`,
    where: sql`p.workspace_id = ${workspaceId} and p.id = s.page_id
      and p.in_trash = ${pageSet.inTrash ? 1 : 0} and ${buildCondition(condition, PAGE, context)}`,
  };
}
