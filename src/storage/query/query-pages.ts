import type { Kysely } from "kysely";
import { formatCursor, orderName, parseCursor } from "../../domain/query/cursor.js";
import { EVERY } from "../../domain/query/condition.js";
import { readFilter } from "../../domain/query/filter.js";
import { rollupDatabases, type RelatedSchemas } from "../../domain/query/rollup.js";
import { readSorts, type Sort } from "../../domain/query/sort.js";
import type { Schema } from "../../domain/schema.js";
import { findDatabase } from "../databases.js";
import type { Reads } from "../store.js";
import type { Tables } from "../tables.js";
import type { Listing, RealSort } from "./listing.js";
import { readListing } from "./read-listing.js";
import type { FoundPage } from "./rows.js";
import { sortType } from "./sort-keys.js";

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
 * @param database one of the workspace
 * @throws DomainError (validation) when the filter, the sorts or the cursor do not fit the database
 */
export async function queryPages(
  reads: Reads,
  workspaceId: string,
  database: { readonly id: string; readonly schema: Schema },
  query: PageQuery,
): Promise<QueryResult> {
  const { schema } = database;
  const { filter, sorts: sortsInput = [], cursor, pageSize, inTrash, now } = query;
  const asksOfValues = (filter !== undefined && filter !== null) || sortsInput.length > 0;
  const related = asksOfValues
    ? await readRelated(reads.read, workspaceId, schema)
    : new Map<string, Schema>();
  const condition =
    filter === undefined || filter === null ? EVERY : readFilter(filter, { schema, related, now });
  const sorts = readSorts(sortsInput, schema, related);
  const realSorts = sorts.filter(isReal);
  const order = orderName(`${database.id} ${inTrash}`, sorts);
  const listing: Listing = {
    workspaceId,
    extent: { databaseId: database.id, inTrash },
    schema,
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
  const rows = await readListing(reads, listing);
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
