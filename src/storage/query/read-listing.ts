import { MAX_SKIPPED_PAGES, MAX_SORTED_PAGES, MAX_TRIED_LOOKUP_SETS } from "../../budgets.js";
import { matchesAll, type Condition } from "../../domain/query/condition.js";
import type { CursorValue } from "../../domain/cursor.js";
import type { Position } from "../../domain/query/position.js";
import type { Db } from "../tables.js";
import {
  buildCandidateCounts,
  findLookupSets,
  buildCandidateSelect,
  buildPageSetPredicate,
  findExactLookup,
  mayScanValues,
  type ElementLookup,
  type LookupSet,
} from "./index-lookups.js";
import { PAGE } from "./from-clauses.js";
import { buildSegmentsById, buildSegmentsBySort } from "./index-scans.js";
import type { EffectiveSort, Listing, PageRow, Reads } from "./listing.js";
import { readPageRows, readSegments } from "./read-segments.js";
import { createSortKeyCondition, isCoveredBySortIndex } from "./sort-conditions.js";
import { buildSortedSelect, isQuick, type Candidates } from "./sorted-select.js";
import { runStatement, sql, SqlContext } from "./sql.js";

/** Greater than any id of a page. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Reads the pages of a list: by index lookups if they find few pages, otherwise by scanning an index in sort order, or all
 * pages if no index has that order.
 *
 * @param lookupSets index lookups for the condition, the most selective first
 */
export async function readListing(
  reads: Reads,
  listing: Listing,
  lookupSets: readonly LookupSet[] = findLookupSets(listing.condition),
): Promise<PageRow[]> {
  const [sort] = listing.sorts;
  return sort === undefined
    ? readUnsorted(reads, listing, lookupSets)
    : readSorted(reads, listing, sort, lookupSets);
}

async function readUnsorted(
  reads: Reads,
  listing: Listing,
  lookupSets: readonly LookupSet[],
): Promise<PageRow[]> {
  const { condition } = listing;
  // The first lookup set is the most selective one.
  const [first = []] = lookupSets;
  const exactLookup = findExactLookup(first);
  const readById = (connection: Db) =>
    readSegments(connection, buildSegmentsById(listing, exactLookup), listing);
  if (exactLookup !== undefined && consistsOf(condition, exactLookup)) {
    return readById(await selectConnectionForValues(reads, listing));
  }
  const rows = await readCandidates(reads, listing, lookupSets);
  // An index scan can skip many rows before it has found enough pages that meet the condition.
  return rows ?? readById(matchesAll(condition) ? reads.db : reads.scan);
}

/** @param sort the first sort of the list */
async function readSorted(
  reads: Reads,
  listing: Listing,
  sort: EffectiveSort,
  lookupSets: readonly LookupSet[],
): Promise<PageRow[]> {
  const { db, scan } = reads;
  const { condition, sorts } = listing;
  const segments = buildSegmentsBySort(listing, sort);
  const isCovered = isCoveredBySortIndex(condition, sort.key);
  // Connection for an index of the whole list, in which a read skips few pages.
  const indexConnection = sort.key.kind === "time" ? db : await selectConnectionForValues(reads, listing);
  if (segments !== undefined && isCovered && sorts.length === 1)
    return readSegments(indexConnection, segments, listing);
  const rows = await readCandidates(reads, listing, lookupSets);
  if (rows !== undefined) return rows;
  if (segments === undefined) return readPageRows(scan, buildSortedSelect(listing, "all"), sorts.length);
  // As in readUnsorted, an index scan can skip many rows.
  const scanConnection = isCovered ? indexConnection : scan;
  return sorts.length === 1
    ? readSegments(scanConnection, segments, listing)
    : readGroups(reads, scanConnection, listing, sort);
}

/** Reads a list by lookups that find few pages; undefined when every lookup set finds many. */
async function readCandidates(
  reads: Reads,
  listing: Listing,
  lookupSets: readonly LookupSet[],
): Promise<PageRow[] | undefined> {
  const candidates = await findCandidates(reads, listing, lookupSets);
  if (candidates === undefined) return undefined;
  const connection = isQuick(listing) ? reads.db : reads.scan;
  return readPageRows(connection, buildSortedSelect(listing, candidates), listing.sorts.length);
}

/**
 * Selects the connection for a read of an index of values: `scan` if the read skips many pages, because the index contains
 * pages in the trash as well as others.
 */
async function selectConnectionForValues(
  { db, scan }: Reads,
  { workspaceId, pageSet }: Listing,
): Promise<Db> {
  const skipped = { ...pageSet, inTrash: !pageSet.inTrash };
  const rows = await runStatement(
    db,
    sql`select 1 from pages as p where ${buildPageSetPredicate(PAGE, skipped, new SqlContext(workspaceId))}
      limit 1 offset ${MAX_SKIPPED_PAGES}`,
  );
  return rows.length === 0 ? db : scan;
}

/** Whether a lookup finds exactly the pages that meet a condition. */
function consistsOf(condition: Condition, lookup: ElementLookup): boolean {
  if (condition.kind !== "and") return condition === lookup;
  return condition.members.every((member) => matchesAll(member) || consistsOf(member, lookup));
}

/** Reads a list with several sorts in the order of an index for the first one. Pages with the same first key are a group. */
async function readGroups(
  reads: Reads,
  scanConnection: Db,
  listing: Listing,
  sort: EffectiveSort,
): Promise<PageRow[]> {
  const { after, count } = listing;
  const rows =
    after === undefined ? [] : await readGroup(reads, listing, sort, after.values[0] ?? null, after);
  // More than one round is needed only if pages change or are removed while they are read.
  for (let last = after?.values[0]; last !== null && rows.length < count;) {
    const start: Position | undefined = last === undefined ? undefined : { values: [last], id: LAST_ID };
    const bySort = { ...listing, sorts: [sort], after: start, count: count - rows.length };
    const scanned = await readSegments(scanConnection, buildSegmentsBySort(bySort, sort) ?? [], bySort);
    const isEnd = scanned.length < bySort.count;
    const lastKey = scanned.at(-1)?.values[0] ?? null;
    // More pages may have the last key than were read, so its group is read again.
    const complete = isEnd ? scanned : scanned.filter(({ values }) => values[0] !== lastKey);
    if (complete.length > 0) {
      const ids = complete.map(({ id }) => id);
      const ordered = buildSortedSelect({ ...listing, after: undefined }, { ids });
      const connection = isQuick(listing) ? reads.db : reads.scan;
      rows.push(...(await readPageRows(connection, ordered, listing.sorts.length)));
    }
    if (isEnd) break;
    const rest = { ...listing, count: count - rows.length };
    rows.push(...(await readGroup(reads, rest, sort, lastKey, undefined)));
    last = lastKey;
  }
  return rows;
}

/** Reads the pages with one value of the first sort key. */
async function readGroup(
  reads: Reads,
  listing: Listing,
  { key }: EffectiveSort,
  value: CursorValue,
  after: Position | undefined,
): Promise<PageRow[]> {
  const inGroup = createSortKeyCondition(key, value, listing.schema);
  const group: Listing = {
    ...listing,
    condition: { kind: "and", members: [inGroup, listing.condition] },
    sorts: listing.sorts.slice(1),
    after: after && { values: after.values.slice(1), id: after.id },
  };
  // Lookups of the filter would find too many pages.
  const rows = await readListing(reads, group, findLookupSets(inGroup));
  return rows.map((row) => ({ ...row, values: [value, ...row.values] }));
}

/** Finds lookups with at most MAX_SORTED_PAGES results for the condition; undefined when all have more. */
async function findCandidates(
  { db, scan }: Reads,
  { workspaceId, pageSet }: Listing,
  lookupSets: readonly LookupSet[],
): Promise<Candidates | undefined> {
  const tried = lookupSets.filter((lookupSet) => !mayScanValues(lookupSet)).slice(0, MAX_TRIED_LOOKUP_SETS);
  if (tried.length > 0) {
    const statement = buildCandidateCounts(tried, MAX_SORTED_PAGES + 1, pageSet, new SqlContext(workspaceId));
    const [row] = await runStatement<Record<string, number>>(db, statement);
    const counts = tried.map((lookupSet, index) => ({ lookupSet, found: row?.[`c${index}`] ?? Infinity }));
    const best = counts.reduce((one, other) => (other.found < one.found ? other : one));
    if (best.found <= MAX_SORTED_PAGES) return { lookupSet: best.lookupSet };
  }
  // These lookups may read every value of a property, so they run only once and yield the ids.
  for (const lookupSet of lookupSets.filter(mayScanValues).slice(0, MAX_TRIED_LOOKUP_SETS)) {
    const found = buildCandidateSelect(lookupSet, pageSet, new SqlContext(workspaceId), scan);
    const rows = await runStatement<{ page_id: string }>(
      scan,
      sql`select h.page_id from (${found}) as h limit ${MAX_SORTED_PAGES + 1}`,
    );
    if (rows.length <= MAX_SORTED_PAGES) return { ids: rows.map((row) => row.page_id) };
  }
  return undefined;
}
