import { sql, type Kysely } from "kysely";
import { isEvery } from "../../domain/query/condition.js";
import type { Position, SortValue } from "../../domain/query/cursor.js";
import type { Reads } from "../store.js";
import type { Tables } from "../tables.js";
import { countSql, driversOf, driverSql, exactLookup, isScan, type Driver } from "./drivers.js";
import { conditionOfKey } from "./key-condition.js";
import type { Listing, RealSort } from "./listing.js";
import { orderedSql, type Candidates } from "./ordered.js";
import { readPlaced, run, type PlacedPage } from "./rows.js";
import { Scope } from "./scope.js";
import { segmentsById, segmentsBySort, type Segment } from "./walks.js";

/** So many pages are put in order faster than an index is walked that has the order. */
const FEW = 1000;

/** How many ways of finding the pages are tried. */
const MAX_TRIES = 4;

/** No id of a page comes after it. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Reads the rows of a list, in a way that suits it.
 *
 * @param drivers ways of finding its pages, the most promising first
 */
export async function readListing(
  reads: Reads,
  listing: Listing,
  drivers: readonly Driver[] = driversOf(listing.condition),
): Promise<PlacedPage[]> {
  const { read, scan } = reads;
  const { sorts } = listing;
  const [sort] = sorts;
  const [first] = drivers;
  if (sort === undefined && drivers.length === 1 && first !== undefined && exactLookup(first) !== undefined) {
    return readSegments(read, segmentsById(listing, exactLookup(first)), listing);
  }
  const few = await findSelective(reads, listing, drivers);
  if (few !== undefined) return readPlaced(read, orderedSql(listing, few), sorts.length);
  // A walk may go on for long before it has met enough pages that fit.
  const walking = isEvery(listing.condition) ? read : scan;
  if (sort === undefined) {
    // The most promising driver comes first.
    return readSegments(walking, segmentsById(listing, first && exactLookup(first)), listing);
  }
  const segments = segmentsBySort(listing, sort);
  if (segments === undefined) return readPlaced(scan, orderedSql(listing, "all"), sorts.length);
  return sorts.length === 1
    ? readSegments(walking, segments, listing)
    : readGroups(reads, walking, listing, sort);
}

async function readSegments(
  db: Kysely<Tables>,
  segments: readonly Segment[],
  { sorts, count }: Listing,
): Promise<PlacedPage[]> {
  const rows: PlacedPage[] = [];
  for (const segment of segments) {
    rows.push(...(await readPlaced(db, segment(count - rows.length), sorts.length)));
    if (rows.length >= count) break;
  }
  return rows;
}

/**
 * Reads a list with several sorts, when an index has the order of the first: that finds the pages, and only those of
 * them that have the same first value need be put in the order of the other sorts.
 */
async function readGroups(
  reads: Reads,
  walking: Kysely<Tables>,
  listing: Listing,
  sort: RealSort,
): Promise<PlacedPage[]> {
  const { after, count } = listing;
  const rows =
    after === undefined ? [] : await readGroup(reads, listing, sort, after.values[0] ?? null, after);
  // Another round is needed only when pages go while they are being read, or leave the group of the last one.
  for (let last = after?.values[0]; last !== null && rows.length < count;) {
    const begin: Position | undefined = last === undefined ? undefined : { values: [last], id: LAST_ID };
    const walk = { ...listing, sorts: [sort], after: begin, count: count - rows.length };
    const walked = await readSegments(walking, segmentsBySort(walk, sort) ?? [], walk);
    const isEnd = walked.length < walk.count;
    const edge = walked.at(-1)?.values[0] ?? null;
    // More pages may have the value of the last one than those that were read.
    const whole = isEnd ? walked : walked.filter(({ values }) => values[0] !== edge);
    if (whole.length > 0) {
      const ids = whole.map(({ id }) => id);
      const ordered = orderedSql({ ...listing, after: undefined }, { ids });
      rows.push(...(await readPlaced(reads.read, ordered, listing.sorts.length)));
    }
    if (isEnd) break;
    const rest = { ...listing, count: count - rows.length };
    rows.push(...(await readGroup(reads, rest, sort, edge, undefined)));
    last = edge;
  }
  return rows;
}

/** Reads the pages whose first value is the given one. */
async function readGroup(
  reads: Reads,
  listing: Listing,
  { key }: RealSort,
  value: SortValue,
  after: Position | undefined,
): Promise<PlacedPage[]> {
  const inGroup = conditionOfKey(key, value, listing.schema);
  const group: Listing = {
    ...listing,
    condition: { kind: "and", members: [inGroup, listing.condition] },
    sorts: listing.sorts.slice(1),
    after: after && { values: after.values.slice(1), id: after.id },
  };
  // The drivers of the filter find too many pages, or the list would not be read so.
  const rows = await readListing(reads, group, driversOf(inGroup));
  return rows.map((row) => ({ ...row, values: [value, ...row.values] }));
}

/** Few pages among which all are that fit; undefined when no driver finds so few. */
async function findSelective(
  { read, scan }: Reads,
  { workspaceId, extent }: Listing,
  drivers: readonly Driver[],
): Promise<Candidates | undefined> {
  const tried = drivers.filter((driver) => !isScan(driver)).slice(0, MAX_TRIES);
  if (tried.length > 0) {
    const statement = countSql(tried, FEW + 1, extent, new Scope(workspaceId));
    const [row] = await run<Record<string, number>>(read, statement);
    const counts = tried.map((driver, index) => ({ driver, found: row?.[`c${index}`] ?? Infinity }));
    const best = counts.reduce((one, other) => (other.found < one.found ? other : one));
    if (best.found <= FEW) return { driver: best.driver };
  }
  // What these find is kept: they look at every value of a property.
  for (const driver of drivers.filter(isScan).slice(0, MAX_TRIES)) {
    const found = driverSql(driver, extent, new Scope(workspaceId));
    const rows = await run<{ page_id: string }>(
      scan,
      sql`select h.page_id from (${found}) as h limit ${FEW + 1}`,
    );
    if (rows.length <= FEW) return { ids: rows.map((row) => row.page_id) };
  }
  return undefined;
}
