import type { Condition } from "../../domain/query/condition.js";
import type { Position } from "../../domain/query/cursor.js";
import type { Schema } from "../../domain/schema.js";
import type { Extent } from "./drivers.js";
import type { RealKey } from "./sort-keys.js";

/** A sort that makes a difference. */
export interface RealSort {
  readonly key: RealKey;
  readonly descending: boolean;
}

/** What a query lists. Equal rows are in the order in which they were created, which is that of their ids. */
export interface Listing {
  readonly workspaceId: string;
  readonly extent: Extent;
  /** That of the database. */
  readonly schema: Schema;
  readonly condition: Condition;
  readonly sorts: readonly RealSort[];
  /** The row after which the list begins; undefined for its beginning. */
  readonly after: Position | undefined;
  /** How many rows are wanted at most. */
  readonly count: number;
}
