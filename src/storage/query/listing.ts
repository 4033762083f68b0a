import type { Condition } from "../../domain/query/condition.js";
import type { Position } from "../../domain/query/position.js";
import type { Schema } from "../../domain/schema.js";
import type { Extent } from "./index-lookups.js";
import type { EffectiveSortKey } from "./sort-keys.js";

/** A sort that affects the order of pages. */
export interface EffectiveSort {
  readonly key: EffectiveSortKey;
  readonly descending: boolean;
}

/** The requested rows of a query. Rows with equal keys are ordered by id, and therefore by creation. */
export interface Listing {
  readonly workspaceId: string;
  readonly extent: Extent;
  /** Schema of the database. */
  readonly schema: Schema;
  readonly condition: Condition;
  readonly sorts: readonly EffectiveSort[];
  /** The row before the first requested one; undefined at the beginning. */
  readonly after: Position | undefined;
  /** Maximum number of rows to read. */
  readonly count: number;
}
