import type { Condition } from "../../domain/query/condition.js";
import type { Position } from "../../domain/query/position.js";
import type { SortKey } from "../../domain/query/sort.js";
import type { Schema } from "../../domain/schema.js";
import type { Db } from "../tables.js";

/** Connections for the reads of one request. */
export interface Reads {
  /** For reads by an index. */
  readonly db: Db;
  /** For SELECTs that can scan many rows, see Store.openScan. */
  readonly scan: Db;
}

/** The pages of a database that are in the trash, or those that are not. */
export interface PageSet {
  readonly databaseId: string;
  readonly inTrash: boolean;
}

/** A sort key that affects the order of pages. */
export type EffectiveSortKey = Exclude<SortKey, { kind: "unsortable" }>;

/** A sort that affects the order of pages. */
export interface EffectiveSort {
  readonly key: EffectiveSortKey;
  readonly descending: boolean;
}

/** A query for part of a sorted list of pages. Pages with equal keys are ordered by id, and therefore by creation. */
export interface Listing {
  readonly workspaceId: string;
  readonly pageSet: PageSet;
  /** Schema of the database. */
  readonly schema: Schema;
  readonly condition: Condition;
  readonly sorts: readonly EffectiveSort[];
  /** Position after which the part begins; undefined for the beginning of the list. */
  readonly after: Position | undefined;
  /** Maximum number of pages in the part. */
  readonly count: number;
}

/** A page that a query found, with its position in the list. */
export interface PageRow extends Position {
  /** Version of the page's row, which grows with every change. */
  readonly version: number;
}
