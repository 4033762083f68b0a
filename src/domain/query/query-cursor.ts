import { hash } from "node:crypto";
import type { CursorType, CursorValue } from "../cursor.js";
import { getKeyName, type Sort, type SortKey } from "./sort.js";

/** The position of a page in a sorted result, which a cursor encodes. */
export interface CursorPosition {
  readonly values: readonly CursorValue[];
  /** Pages with equal values are ordered by id, see PageListQuery. */
  readonly id: string;
}

/** Hashes sorts and the name of a list. Cursors contain the hash, so that a cursor of another query is rejected. */
export function createQueryFingerprint(listName: string, sorts: readonly Sort[]): string {
  const parts = sorts.map(({ key, descending }) => [getKeyName(key), descending]);
  return hash("sha256", JSON.stringify([listName, parts]), "base64url").slice(0, 8);
}

/** Types of the values in cursors, by the kind of the sort key. Checkboxes are 0 or 1, dates of rollups milliseconds since 1970. */
export const CURSOR_TYPES: Readonly<Record<SortKey["kind"], CursorType>> = {
  time: "integer",
  text: "string",
  user: "string",
  people: "string",
  relation: "string",
  number: "number",
  checkbox: "number",
  rollup: "number",
};
