import type { Kysely } from "kysely";
import type { Position, SortValue } from "../../domain/query/cursor.js";
import type { Tables } from "../tables.js";
import { countSql, driversOf, exactLookup, isScan, type Driver } from "./drivers.js";
import { conditionOfKey } from "./key-condition.js";
import type { Listing, RealSort } from "./listing.js";
import { orderedSql } from "./ordered.js";
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
 * @param db `store.read`, or the transaction of a job
 * @param drivers ways of finding its pages, the most promising first
 */
export async function readListing(
  db: Kysely<Tables>,
  listing: Listing,
  drivers: readonly Driver[] = driversOf(listing.condition),
): Promise<PlacedPage[]> {
  const { sorts } = listing;
  const [sort] = sorts;
  const [first] = drivers;
  if (sort === undefined && drivers.length === 1 && first !== undefined && exactLookup(first) !== undefined) {
    return readSegments(db, segmentsById(listing, exactLookup(first)), listing);
  }
  const driver = await findSelective(db, listing, drivers);
  if (driver !== undefined) return readPlaced(db, orderedSql(listing, { driver }), sorts.length);
  if (sort === undefined) {
    // The most promising driver comes first.
    return readSegments(db, segmentsById(listing, first && exactLookup(first)), listing);
  }
  const segments = segmentsBySort(listing, sort);
  if (segments === undefined) return readPlaced(db, orderedSql(listing, "all"), sorts.length);
  return sorts.length === 1 ? readSegments(db, segments, listing) : readGroups(db, listing, sort);
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
async function readGroups(db: Kysely<Tables>, listing: Listing, sort: RealSort): Promise<PlacedPage[]> {
  const { after, count } = listing;
  const rows = after === undefined ? [] : await readGroup(db, listing, sort, after.values[0] ?? null, after);
  // Another round is needed only when pages go while they are being read, or leave the group of the last one.
  for (let last = after?.values[0]; last !== null && rows.length < count;) {
    const begin: Position | undefined = last === undefined ? undefined : { values: [last], id: LAST_ID };
    const walk = { ...listing, sorts: [sort], after: begin, count: count - rows.length };
    const walked = await readSegments(db, segmentsBySort(walk, sort) ?? [], walk);
    const isEnd = walked.length < walk.count;
    const edge = walked.at(-1)?.values[0] ?? null;
    // More pages may have the value of the last one than those that were read.
    const whole = isEnd ? walked : walked.filter(({ values }) => values[0] !== edge);
    if (whole.length > 0) {
      const ids = whole.map(({ id }) => id);
      const ordered = orderedSql({ ...listing, after: undefined }, { ids });
      rows.push(...(await readPlaced(db, ordered, listing.sorts.length)));
    }
    if (isEnd) break;
    const rest = { ...listing, count: count - rows.length };
    rows.push(...(await readGroup(db, rest, sort, edge, undefined)));
    last = edge;
  }
  return rows;
}

/** Reads the pages whose first value is the given one. */
async function readGroup(
  db: Kysely<Tables>,
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
  const rows = await readListing(db, group, driversOf(inGroup));
  return rows.map((row) => ({ ...row, values: [value, ...row.values] }));
}

/** A driver that finds no more than a few pages. Those that look at every value of a property are tried last. */
async function findSelective(
  db: Kysely<Tables>,
  { workspaceId, extent }: Listing,
  drivers: readonly Driver[],
): Promise<Driver | undefined> {
  for (const scans of [false, true]) {
    const tried = drivers.filter((driver) => isScan(driver) === scans).slice(0, MAX_TRIES);
    if (tried.length === 0) continue;
    const statement = countSql(tried, FEW + 1, extent, new Scope(workspaceId));
    const [row] = await run<Record<string, number>>(db, statement);
    const counts = tried.map((driver, index) => ({ driver, found: row?.[`c${index}`] ?? Infinity }));
    const best = counts.reduce((one, other) => (other.found < one.found ? other : one));
    if (best.found <= FEW) return best.driver;
  }
  return undefined;
}
