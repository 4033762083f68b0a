import { sql } from "kysely";
import type { Position } from "../../domain/query/cursor.js";
import type { PropertyType } from "../../domain/schema.js";
import { conditionSql } from "./conditions.js";
import { inExtent, lookupSource, type Lookup } from "./drivers.js";
import type { Listing, RealSort } from "./listing.js";
import { allOf, existsSql, Scope, type Fragment } from "./scope.js";
import { forEach, type Source } from "./sources.js";

/*
 * Lists that an index gives in their order, so that reading can stop with the last row that is wanted. Such a list is
 * made of segments that follow each other: the pages that have a value, and then those that have none, for instance.
 */

/** One part of a list: a SELECT of no more than `count` rows. */
export type Segment = (count: number) => Fragment;

/** Rows of `pages`, called p, in the order of a key and of their ids. */
interface Walk {
  readonly source: Source;
  /** What they are sorted by; a constant when it is the same for all of them. */
  readonly key: Fragment;
  readonly id: Fragment;
}

const EMPTY = sql`null`;

/**
 * The segments of a list that has no sorts.
 *
 * @param lookup finds the pages; without one all pages of the database are looked at
 */
export function segmentsById(
  listing: Listing,
  lookup: (Lookup & { kind: "element" }) | undefined,
): Segment[] {
  const walk = lookup === undefined ? walkPages(listing, EMPTY) : walkLookup(listing, lookup);
  return [(count) => selectById(walk, listing.after?.id, count)];
}

/** The segments of a list with one sort; undefined when no index has its order. */
export function segmentsBySort(listing: Listing, { key, descending }: RealSort): Segment[] | undefined {
  switch (key.kind) {
    case "time":
      return segmentsByKey(walkPages(listing, sql.ref(`p.${key.column}`)), descending, listing.after);
    case "text":
    case "number":
      return key.single ? segmentsByValue(listing, key.propertyId, `${key.kind}_key`, descending) : undefined;
    case "checkbox":
      return segmentsByCheckbox(listing, key.propertyId, descending);
    default:
      return undefined;
  }
}

/** First the pages that have a value, then those that have none. */
function segmentsByValue(
  listing: Listing,
  propertyId: string,
  column: "text_key" | "number_key",
  descending: boolean,
): Segment[] {
  const { workspaceId, after } = listing;
  const inEmpties = after !== undefined && after.values[0] === null;
  const empties = narrow(
    walkPages(listing, EMPTY),
    sql`not ${existsSql(sql`property_values as n where n.workspace_id = ${workspaceId}
      and n.page_id = p.id and n.property_id = ${propertyId}`)}`,
  );
  const last: Segment = (count) => selectById(empties, inEmpties ? after.id : undefined, count);
  if (inEmpties) return [last];
  const key = sql.ref(`s.${column}`);
  const values = walkValues(listing, propertyId, key, sql`${key} is not null`);
  return [...segmentsByKey(values, descending, after), last];
}

/** The ticked ones after the others, or before them. */
function segmentsByCheckbox(listing: Listing, propertyId: string, descending: boolean): Segment[] {
  const { workspaceId, after } = listing;
  const unticked = narrow(
    walkPages(listing, sql.lit(0)),
    sql`not ${existsSql(sql`property_values as n where n.workspace_id = ${workspaceId}
      and n.page_id = p.id and n.property_id = ${propertyId} and coalesce(n.number_key, 0) = 1`)}`,
  );
  const ticked = walkValues(listing, propertyId, sql.lit(1), sql`s.number_key = 1`);
  const walks = descending ? [ticked, unticked] : [unticked, ticked];
  const startsInSecond = after !== undefined && after.values[0] === (descending ? 0 : 1);
  return walks.slice(startsInSecond ? 1 : 0).map(
    (walk, index): Segment =>
      (count) =>
        selectById(walk, index === 0 ? after?.id : undefined, count),
  );
}

/** Segments in the order of a key that all rows have. */
function segmentsByKey(walk: Walk, descending: boolean, after: Position | undefined): Segment[] {
  const value = after?.values[0];
  if (after === undefined || value === undefined) {
    return [(count) => (descending ? selectDescending(walk, count) : selectAscending(walk, count))];
  }
  if (!descending) {
    const later = narrow(walk, sql`(${walk.key}, ${walk.id}) > (${value}, ${after.id})`);
    return [(count) => selectAscending(later, count)];
  }
  // Those with the same key as the row before, and then those with a lower one.
  const same = narrow(walk, sql`${walk.key} = ${value}`);
  const lower = narrow(walk, sql`${walk.key} < ${value}`);
  return [(count) => selectById(same, after.id, count), (count) => selectDescending(lower, count)];
}

function selectAscending(walk: Walk, count: number): Fragment {
  return sql`${select(walk)} order by ${walk.key}, ${walk.id} limit ${count}`;
}

/**
 * An index that is read backwards gives equal keys in the wrong order, and sorting them anew takes long when many are
 * equal. So of the rows with the last key, which may not be the right ones, those are read in the order of their ids.
 */
function selectDescending(walk: Walk, count: number): Fragment {
  const edge = sql`(select min(top.k0) from top)`;
  return sql`
    with top as materialized (${select(walk)} order by ${walk.key} desc limit ${count})
    select * from top where top.k0 > ${edge}
    union all
    select * from (${selectById(narrow(walk, sql`${walk.key} = ${edge}`), undefined, count)}) as a
    order by k0 desc, id limit ${count}
  `;
}

/** A SELECT in the order of the ids, of rows whose key is the same. */
function selectById(walk: Walk, after: string | undefined, count: number): Fragment {
  const begun = after === undefined ? walk : narrow(walk, sql`${walk.id} > ${after}`);
  return sql`${select(begun)} order by ${walk.id} limit ${count}`;
}

function select({ source, key }: Walk): Fragment {
  return sql`select p.id, p.version, ${key} as k0 from ${source.tables} where ${source.where}`;
}

function narrow(walk: Walk, condition: Fragment): Walk {
  const { tables, where } = walk.source;
  return { ...walk, source: { tables, where: sql`${where} and ${condition}` } };
}

/** All pages of the database that meet the condition. */
function walkPages({ workspaceId, extent, condition }: Listing, key: Fragment): Walk {
  const scope = new Scope(workspaceId);
  const where = sql`${inExtent("p", extent, scope)} and ${conditionSql(condition, "p", scope)}`;
  return { source: { tables: sql`pages as p`, where }, key, id: sql`p.id` };
}

/** The pages that have a value in a property, by the index of its values, called s. */
function walkValues(listing: Listing, propertyId: string, key: Fragment, ofValue: Fragment): Walk {
  const { workspaceId, extent } = listing;
  const values: Source = {
    tables: sql`property_values as s`,
    where: sql`s.workspace_id = ${workspaceId} and s.database_id = ${extent.databaseId}
      and s.property_id = ${propertyId} and ${ofValue}`,
  };
  return { source: forEach(values, pageOfValue(listing)), key, id: sql`s.page_id` };
}

/** The pages that a lookup finds, by the index of the property's values, called s. */
function walkLookup(listing: Listing, lookup: Lookup & { kind: "element" }): Walk {
  const { workspaceId, extent } = listing;
  const found = lookupSource(lookup, "s", extent, new Scope(workspaceId));
  const { property } = lookup;
  const values = LIST_TYPES.has(property.type)
    ? { ...found, where: allOf([found.where, isFirstOfItsKind(workspaceId, property.id)]) }
    : found;
  return { source: forEach(values, pageOfValue(listing)), key: EMPTY, id: sql`s.page_id` };
}

const LIST_TYPES: ReadonlySet<PropertyType> = new Set<PropertyType>(["multi_select", "people", "relation"]);

/** A list may hold an element twice; the page is to come once. */
function isFirstOfItsKind(workspaceId: string, propertyId: string): Fragment {
  return sql`not ${existsSql(sql`property_values as d where d.workspace_id = ${workspaceId}
    and d.page_id = s.page_id and d.property_id = ${propertyId} and d.text_key = s.text_key
    and d.ordinal < s.ordinal`)}`;
}

/** The page that has the value s, when it meets the condition. */
function pageOfValue({ workspaceId, extent, condition }: Listing): Source {
  const scope = new Scope(workspaceId);
  return {
    tables: sql`pages as p`,
    where: sql`p.workspace_id = ${workspaceId} and p.id = s.page_id
      and p.in_trash = ${extent.inTrash ? 1 : 0} and ${conditionSql(condition, "p", scope)}`,
  };
}
