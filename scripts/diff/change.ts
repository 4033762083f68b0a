import type { Position } from "../diagnostic.js";

/** The step of the version number that a change requires, by semantic versioning. */
export type Impact = "none" | "patch" | "minor" | "major";

/** The impacts, mildest first. */
export const IMPACTS: readonly Impact[] = ["none", "patch", "minor", "major"];

/** One difference between two documents. */
export interface Change {
  kind: "added" | "removed" | "modified";
  impact: Impact;
  /** JSON pointer through the operation that the change affects, with references resolved; the first of several. */
  path: string;
  /** Name of the changed member, if only one changed. */
  property?: string;
  /** The rules that determine the impact, with their messages. Empty for a change that breaks nothing. */
  reasons: { rule: string; message: string }[];
  /** The part in the old document; absent for an addition. */
  base?: Side;
  /** The part in the new document; absent for a removal. */
  revision?: Side;
}

/** One side of a change. */
export interface Side {
  /** Pointer in the bundled document. */
  pointer: string;
  position: Position;
  value: unknown;
}

/** Returns the strongest of some impacts; `none` without any. */
export function pickStrongest(impacts: Iterable<Impact>): Impact {
  return IMPACTS[Math.max(0, ...[...impacts].map((impact) => IMPACTS.indexOf(impact)))] ?? "none";
}
