import { MAX_SKIPPED_PAGES, MAX_SORTED_PAGES, MAX_TRIED_LOOKUP_SETS } from "../../budgets.js";
import { isMatchAll, type Condition } from "../../domain/query/condition.js";
import type { CursorValue } from "../../domain/cursor.js";
import type { CursorPosition } from "../../domain/query/query-cursor.js";
import type { Sort } from "../../domain/query/sort.js";
import { getIds } from "../../lists.js";
import {
  buildCandidateCounts,
  findLookupSets,
  buildCandidateSelect,
  buildPageSetPredicate,
  findExactLookup,
  mayScanValues,
  preferTextIndex,
  type ElementLookup,
  type LookupSet,
} from "./index-lookups.js";
import { BEFORE_FIRST_ID } from "../sql-helpers.js";
import { PAGE_ALIAS } from "./from-clauses.js";
import { buildScansById, buildScansBySort } from "./index-scans.js";
import type { PageListQuery, ListedPage, QueryScope } from "./page-list-query.js";
import { chooseScope, readPageRows, runIndexScans } from "./run-index-scans.js";
import { createSortKeyCondition, isCoveredBySortIndex } from "./sort-conditions.js";
import { isCheapQuery } from "./query-cost.js";
import { buildSortedSelect, type Candidates } from "./sorted-select.js";
import { runStatement, sql } from "./sql.js";

/** Sorts after all ids of pages. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Reads the pages of a query in one of three ways. If index lookups for the condition find few pages, it filters and sorts
 * these candidates. Otherwise it scans an index in the order of the sorts or, if there is no such index, reads all pages.
 *
 * @param lookupSets index lookups for the condition, the most selective first
 */
export async function readPageList(
  scope: QueryScope,
  query: PageListQuery,
  lookupSets: readonly LookupSet[] = findLookupSets(query.condition),
): Promise<ListedPage[]> {
  const [sort] = query.sorts;
  return sort === undefined
    ? readUnsorted(scope, query, lookupSets)
    : readSorted(scope, query, sort, lookupSets);
}

async function readUnsorted(
  scope: QueryScope,
  query: PageListQuery,
  lookupSets: readonly LookupSet[],
): Promise<ListedPage[]> {
  const { condition } = query;
  const [first = []] = lookupSets;
  const exactLookup = findExactLookup(first);
  const readById = (isFast: boolean) =>
    runIndexScans(scope, buildScansById(query, exactLookup), query, isFast);
  if (exactLookup !== undefined && consistsOfLookup(condition, exactLookup)) {
    return readById(await hasFewPagesToSkip(scope, query));
  }
  const rows = await readCandidates(scope, query, lookupSets);
  // An index scan can skip many rows before it has found enough pages that meet the condition.
  return rows ?? readById(isMatchAll(condition));
}

/** @param sort the first sort of the query */
async function readSorted(
  scope: QueryScope,
  query: PageListQuery,
  sort: Sort,
  lookupSets: readonly LookupSet[],
): Promise<ListedPage[]> {
  const { condition, sorts } = query;
  const indexScans = buildScansBySort(query, sort);
  const isCovered = isCoveredBySortIndex(condition, sort.key);
  // As in readUnsorted, an index scan can skip many rows because of the condition.
  const isFast = isCovered && (sort.key.kind === "time" || (await hasFewPagesToSkip(scope, query)));
  if (indexScans !== undefined && isCovered && sorts.length === 1)
    return runIndexScans(scope, indexScans, query, isFast);
  const rows = await readCandidates(scope, query, lookupSets);
  if (rows !== undefined) return rows;
  if (indexScans === undefined)
    return readPageRows(scope.scanScope, buildSortedSelect(query, "all"), sorts.length);
  return sorts.length === 1
    ? runIndexScans(scope, indexScans, query, isFast)
    : readGroups(scope, query, sort, isFast);
}

/** Reads the pages by index lookups; undefined when every lookup set finds too many pages. */
async function readCandidates(
  scope: QueryScope,
  query: PageListQuery,
  lookupSets: readonly LookupSet[],
): Promise<ListedPage[] | undefined> {
  const found = await findCandidates(scope, query, lookupSets);
  if (found === undefined) return undefined;
  const from = chooseScope(scope, isCheapQuery(query, found.count));
  return readPageRows(from, buildSortedSelect(query, found.candidates), query.sorts.length);
}

/** Whether a scan of an index of values, which has pages in the trash and others, skips at most MAX_SKIPPED_PAGES of either kind. */
async function hasFewPagesToSkip(scope: QueryScope, { pageSet }: PageListQuery): Promise<boolean> {
  const skipped = { ...pageSet, inTrash: !pageSet.inTrash };
  const rows = await runStatement(
    scope,
    sql`select 1 from pages as p where ${buildPageSetPredicate(PAGE_ALIAS, skipped)}
      limit 1 offset ${MAX_SKIPPED_PAGES}`,
  );
  return rows.length === 0;
}

/** Whether a condition consists of a lookup only, so that the lookup finds no other pages. */
function consistsOfLookup(condition: Condition, lookup: ElementLookup): boolean {
  if (condition.kind !== "and") return condition === lookup;
  return condition.members.every((member) => isMatchAll(member) || consistsOfLookup(member, lookup));
}

/** Scans the index of the first sort, and sorts pages with the same first key, called a group, by the other sorts. */
async function readGroups(
  scope: QueryScope,
  query: PageListQuery,
  sort: Sort,
  isFast: boolean,
): Promise<ListedPage[]> {
  const { after, count } = query;
  const rows = after === undefined ? [] : await readGroup(scope, query, sort, after.values[0] ?? null, after);
  // The first sort key of the last group; undefined before the first one. Null stands for the pages without a value, which come
  // last. More than one round is needed only if pages change or are removed while they are read.
  let lastKey = after?.values[0];
  while (lastKey !== null && rows.length < count) {
    const start: CursorPosition | undefined =
      lastKey === undefined
        ? undefined
        : { values: [lastKey], id: sort.descending ? BEFORE_FIRST_ID : LAST_ID };
    const bySort = { ...query, sorts: [sort], after: start, count: count - rows.length };
    const scanned = await runIndexScans(scope, buildScansBySort(bySort, sort) ?? [], bySort, isFast);
    const isEnd = scanned.length < bySort.count;
    const scannedKey = scanned.at(-1)?.values[0] ?? null;
    // More pages may have this key than were read, so its group is read again.
    const complete = isEnd ? scanned : scanned.filter(({ values }) => values[0] !== scannedKey);
    if (complete.length > 0) {
      const ids = getIds(complete);
      const ordered = buildSortedSelect({ ...query, after: undefined }, { ids });
      const from = chooseScope(scope, isCheapQuery(query, ids.length));
      rows.push(...(await readPageRows(from, ordered, query.sorts.length)));
    }
    if (isEnd) break;
    const rest = { ...query, count: count - rows.length };
    rows.push(...(await readGroup(scope, rest, sort, scannedKey, undefined)));
    lastKey = scannedKey;
  }
  return rows;
}

/** Reads the pages of the group with the given first sort key, as a query with one sort less. */
async function readGroup(
  scope: QueryScope,
  query: PageListQuery,
  { key }: Sort,
  value: CursorValue,
  after: CursorPosition | undefined,
): Promise<ListedPage[]> {
  const inGroup = createSortKeyCondition(key, value);
  // Not nested, because SQLite's parser refuses about 25 levels.
  const conditions = query.condition.kind === "and" ? query.condition.members : [query.condition];
  const group: PageListQuery = {
    ...query,
    condition: { kind: "and", members: [inGroup, ...conditions] },
    sorts: query.sorts.slice(1),
    after: after && { values: after.values.slice(1), id: after.id },
  };
  // Only lookups for the group, because lookups for the condition were tried before and find too many pages.
  const rows = await readPageList(scope, group, findLookupSets(inGroup));
  return rows.map((row) => ({ ...row, values: [value, ...row.values] }));
}

/** Finds a lookup set with at most MAX_SORTED_PAGES results, and counts them; undefined when every set has more. */
async function findCandidates(
  scope: QueryScope,
  { pageSet }: PageListQuery,
  lookupSets: readonly LookupSet[],
): Promise<{ readonly candidates: Candidates; readonly count: number } | undefined> {
  const tried = lookupSets.filter((lookupSet) => !mayScanValues(lookupSet)).slice(0, MAX_TRIED_LOOKUP_SETS);
  if (tried.length > 0) {
    const statement = buildCandidateCounts(tried, MAX_SORTED_PAGES + 1, pageSet);
    const [row] = await runStatement<Record<string, number>>(scope, statement);
    const counts = tried.map((lookupSet, index) => ({ lookupSet, found: row?.[`c${index}`] ?? Infinity }));
    const best = counts.reduce((one, other) => (other.found < one.found ? other : one));
    if (best.found <= MAX_SORTED_PAGES)
      return { candidates: { lookupSet: best.lookupSet }, count: best.found };
  }
  // These lookups may read every value of a property, so they run only once and yield the ids.
  for (const lookupSet of lookupSets.filter(mayScanValues).slice(0, MAX_TRIED_LOOKUP_SETS)) {
    const { scanScope } = scope;
    const found = buildCandidateSelect(lookupSet, pageSet, preferTextIndex(scanScope));
    const rows = await runStatement<{ page_id: string }>(
      scanScope,
      sql`select h.page_id from (${found}) as h limit ${MAX_SORTED_PAGES + 1}`,
    );
    const ids = rows.map((row) => row.page_id);
    if (ids.length <= MAX_SORTED_PAGES) return { candidates: { ids }, count: ids.length };
  }
  return undefined;
}
