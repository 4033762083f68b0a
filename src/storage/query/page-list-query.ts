import type { Condition } from "../../domain/query/condition.js";
import type { CursorPosition } from "../../domain/query/query-cursor.js";
import type { Sort } from "../../domain/query/sort.js";
import type { StorageScope } from "../tables.js";

/** Scope of a query, with two connections. Its `db` runs SELECTs that an index serves, in the event loop on SQLite. */
export interface QueryScope extends StorageScope {
  /** For SELECTs that can read many rows, see Store.openScan. Can be a getter, because most requests do not use it. */
  readonly scanScope: StorageScope;
}

/** The pages of a database that a query searches: those in the trash, or those outside of it. */
export interface PageSet {
  readonly databaseId: string;
  readonly inTrash: boolean;
}

/** A query for the next pages of a database. Pages with equal sort keys are ordered by id, in the direction of the last sort. */
export interface PageListQuery {
  readonly pageSet: PageSet;
  readonly condition: Condition;
  readonly sorts: readonly Sort[];
  /** Position of the last page that was read before; undefined for the beginning of the list. */
  readonly after: CursorPosition | undefined;
  /** Maximum number of pages to read. */
  readonly count: number;
}

/** A page that a query found, with its position in the list. */
export interface ListedPage extends CursorPosition {
  /** Version of the page's row, which grows with every change. */
  readonly version: number;
  readonly lastEditedTime: number;
  /** Bytes of the page's values. Read here, because a SELECT for the sizes of 100 pages takes 220 µs. */
  readonly bytes: number;
}

/** Whether pages with equal sort keys are ordered by descending ids. So the order is that of an index, read in one direction. */
export function hasDescendingIds({ sorts }: Pick<PageListQuery, "sorts">): boolean {
  return sorts.at(-1)?.descending ?? false;
}
