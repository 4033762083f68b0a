import type { Position } from "../../diagnostic.js";
import type { LoadedDocument } from "../../load/load.js";

/** The increment of the version number that a change requires (semantic versioning). */
export type Impact = "none" | "patch" | "minor" | "major";

/** The impacts in ascending order. */
const IMPACTS: readonly Impact[] = ["none", "patch", "minor", "major"];

/** One difference between two documents. */
export interface Change {
  kind: "added" | "removed" | "modified";
  impact: Impact;
  /**
   * JSON pointer of the change, through the operation that it affects, with references resolved. The first one of
   * several.
   */
  path: string;
  /** Name of the changed member, if only one changed. */
  property?: string;
  /** The rules that determine the impact, with their messages. Empty for a change that breaks nothing. */
  reasons: { rule: string; message: string }[];
  /** The part in the old document, which Redocly calls the base; absent for an addition. */
  base?: ChangeSide;
  /** The part in the new document, which Redocly calls the revision; absent for a removal. */
  revision?: ChangeSide;
}

/** The changed part in one of the two documents. */
export interface ChangeSide {
  /** JSON pointer in the bundled document. */
  pointer: string;
  position: Position;
  value: unknown;
}

export function createSide({ locate }: LoadedDocument, pointer: string, value: unknown): ChangeSide {
  return { pointer, position: locate(pointer), value };
}

/** Compares two impacts for sorting them in ascending order. */
export function compareImpacts(one: Impact, other: Impact): number {
  return IMPACTS.indexOf(one) - IMPACTS.indexOf(other);
}

/** Returns the strongest of several impacts; `none` for an empty list. */
export function pickStrongestImpact(impacts: Iterable<Impact>): Impact {
  return IMPACTS[Math.max(0, ...[...impacts].map((impact) => IMPACTS.indexOf(impact)))] ?? "none";
}
