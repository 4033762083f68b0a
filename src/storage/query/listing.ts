import type { Condition } from "../../domain/query/condition.js";
import type { Position } from "../../domain/query/position.js";
import type { Schema } from "../../domain/schema.js";
import type { Extent } from "./index-lookups.js";
import type { RealKey } from "./sort-keys.js";

/** A sort by a key that pages have. */
export interface RealSort {
  readonly key: RealKey;
  readonly descending: boolean;
}

/** The rows that a query asks for. Rows with equal keys are in the order of their ids, which is that of their creation. */
export interface Listing {
  readonly workspaceId: string;
  readonly extent: Extent;
  /** Schema of the database. */
  readonly schema: Schema;
  readonly condition: Condition;
  readonly sorts: readonly RealSort[];
  /** The list continues after this row; undefined for its beginning. */
  readonly after: Position | undefined;
  /** Most rows to read. */
  readonly count: number;
}
