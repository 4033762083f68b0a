import type { Position } from "../../diagnostic.js";

/** An increment of the version number (semantic versioning). */
export type Bump = "none" | "patch" | "minor" | "major";

/** All bumps in ascending order. */
const BUMPS: readonly Bump[] = ["none", "patch", "minor", "major"];

/** One difference between two documents. */
export interface Change {
  kind: "added" | "removed" | "modified";
  bump: Bump;
  /** JSON pointer of the change, through the operation that it affects, with references resolved. The first one of several. */
  path: string;
  /** Name of the changed member, if only one changed. */
  property?: string;
  /** The rules that determine the bump, with their messages. Empty for a change that breaks nothing. */
  reasons: { rule: string; message: string }[];
  /** The part in the old document; absent for an addition. */
  oldSide?: ChangeSide;
  /** The part in the new document; absent for a removal. */
  newSide?: ChangeSide;
}

/** The changed part in one of the two documents. */
export interface ChangeSide {
  /** JSON pointer in the bundled document. */
  pointer: string;
  position: Position;
  value: unknown;
}

export function compareBumps(one: Bump, other: Bump): number {
  return BUMPS.indexOf(one) - BUMPS.indexOf(other);
}

/** Returns the bump that all changes together require; `none` without changes. */
export function getLargestBump(changes: readonly Change[]): Bump {
  return BUMPS.findLast((bump) => changes.some((change) => change.bump === bump)) ?? "none";
}
