import type { Position } from "../diagnostic.js";

/** The step of the version number that a change requires, by semantic versioning. */
export type Impact = "none" | "patch" | "minor" | "major";

/** The impacts, mildest first. */
export const IMPACTS: readonly Impact[] = ["none", "patch", "minor", "major"];

/** One difference between two documents. */
export interface Change {
  kind: "added" | "removed" | "modified";
  impact: Impact;
  /** Pointer by way of the operation it is about, references followed; the first of several uses. */
  path: string;
  /** Name of the changed member, if only one changed. */
  property?: string;
  /** Why it is rated as it is: the rules' words. None for what breaks nobody. */
  reasons: { rule: string; message: string }[];
  /** In the old document; absent for what was added. */
  base?: Side;
  /** In the new document; absent for what was removed. */
  revision?: Side;
}

/** One side of a change. */
export interface Side {
  /** Pointer in the bundled document. */
  pointer: string;
  position: Position;
  value: unknown;
}

/** The strongest of some impacts. */
export function strongest(impacts: Iterable<Impact>): Impact {
  return IMPACTS[Math.max(0, ...[...impacts].map((impact) => IMPACTS.indexOf(impact)))] ?? "none";
}
