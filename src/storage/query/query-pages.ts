import type { Kysely } from "kysely";
import { formatCursor, orderName, parseCursor } from "../../domain/query/cursor.js";
import { EVERY } from "../../domain/query/condition.js";
import { readFilter } from "../../domain/query/filter.js";
import { rollupDatabases, type RelatedSchemas } from "../../domain/query/rollup.js";
import { readSorts, type Sort } from "../../domain/query/sort.js";
import type { Schema } from "../../domain/schema.js";
import { findDatabase } from "../databases.js";
import type { Tables } from "../tables.js";
import { countSql, driversOf, exactLookup, isScan, type Driver } from "./drivers.js";
import type { Listing, RealSort } from "./listing.js";
import { orderedSql } from "./ordered.js";
import { readPlaced, run, type FoundPage, type PlacedPage } from "./rows.js";
import { Scope } from "./scope.js";
import { sortType } from "./sort-keys.js";
import { segmentsById, segmentsBySort } from "./walks.js";

/** What a request asks of a database. */
export interface PageQuery {
  /** As the request has it, its shape checked against the document. */
  readonly filter?: unknown;
  readonly sorts?: readonly unknown[] | undefined;
  /** Of the answer before; undefined for the beginning. */
  readonly cursor?: string | undefined;
  readonly pageSize: number;
  /** Whether the pages in the trash are wanted, and not the others. */
  readonly inTrash: boolean;
  /** Milliseconds since 1970, for operators such as `past_week`. */
  readonly now: number;
}

/** A part of what a query finds. */
export interface QueryResult {
  readonly pages: readonly FoundPage[];
  /** Goes on after the last of them; null when there are no more. */
  readonly nextCursor: string | null;
}

/**
 * Finds pages of a database.
 *
 * @param db `store.read`, or the transaction of a job
 * @param database one of the workspace
 * @throws DomainError (validation) when the filter, the sorts or the cursor do not fit the database
 */
export async function queryPages(
  db: Kysely<Tables>,
  workspaceId: string,
  database: { readonly id: string; readonly schema: Schema },
  query: PageQuery,
): Promise<QueryResult> {
  const { schema } = database;
  const { filter, sorts: sortsInput = [], cursor, pageSize, inTrash, now } = query;
  const asksOfValues = (filter !== undefined && filter !== null) || sortsInput.length > 0;
  const related = asksOfValues ? await readRelated(db, workspaceId, schema) : new Map<string, Schema>();
  const condition =
    filter === undefined || filter === null ? EVERY : readFilter(filter, { schema, related, now });
  const sorts = readSorts(sortsInput, schema, related);
  const realSorts = sorts.filter(isReal);
  const order = orderName(`${database.id} ${inTrash}`, sorts);
  const listing: Listing = {
    workspaceId,
    extent: { databaseId: database.id, inTrash },
    condition,
    sorts: realSorts,
    after:
      cursor === undefined
        ? undefined
        : parseCursor(
            cursor,
            order,
            realSorts.map(({ key }) => sortType(key)),
          ),
    // One more tells whether there are more.
    count: pageSize + 1,
  };
  const rows = await readListing(db, listing);
  const pages = rows.slice(0, pageSize);
  const last = pages.at(-1);
  return {
    pages,
    nextCursor: rows.length > pageSize && last !== undefined ? formatCursor(order, last) : null,
  };
}

function isReal(sort: Sort): sort is Sort & RealSort {
  return sort.key.kind !== "none";
}

async function readRelated(db: Kysely<Tables>, workspaceId: string, schema: Schema): Promise<RelatedSchemas> {
  const related = new Map<string, Schema>();
  for (const id of rollupDatabases(schema)) {
    const database = await findDatabase(db, workspaceId, id);
    if (database !== undefined) related.set(id, database.schema);
  }
  return related;
}

/** So many pages are put in order faster than an index is walked that has the order. */
const FEW = 1000;

/** How many ways of finding the pages are tried. */
const MAX_TRIES = 4;

async function readListing(db: Kysely<Tables>, listing: Listing): Promise<PlacedPage[]> {
  const { sorts, count } = listing;
  const [sort] = sorts;
  const drivers = driversOf(listing.condition);
  const [first] = drivers;
  if (sort === undefined && drivers.length === 1 && first !== undefined && exactLookup(first) !== undefined) {
    return readSegments(db, segmentsById(listing, exactLookup(first)), listing, count);
  }
  const driver = await findSelective(db, listing, drivers);
  if (driver !== undefined) return readPlaced(db, orderedSql(listing, driver), sorts.length);
  if (sort === undefined) {
    // The most promising driver comes first.
    return readSegments(db, segmentsById(listing, first && exactLookup(first)), listing, count);
  }
  const segments = sorts.length === 1 ? segmentsBySort(listing, sort) : undefined;
  if (segments === undefined) return readPlaced(db, orderedSql(listing, undefined), sorts.length);
  return readSegments(db, segments, listing, count);
}

async function readSegments(
  db: Kysely<Tables>,
  segments: ReturnType<typeof segmentsById>,
  { sorts }: Listing,
  count: number,
): Promise<PlacedPage[]> {
  const rows: PlacedPage[] = [];
  for (const segment of segments) {
    rows.push(...(await readPlaced(db, segment(count - rows.length), sorts.length)));
    if (rows.length >= count) break;
  }
  return rows;
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
