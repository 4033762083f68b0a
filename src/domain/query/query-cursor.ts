import { hash } from "node:crypto";
import type { CursorType, CursorValue } from "../cursor.js";
import { getKeyName, type Sort } from "./sort.js";

/** The position of a page in a sorted result, which a cursor encodes. */
export interface RowPosition {
  readonly values: readonly CursorValue[];
  /** Pages with equal values are ordered by id. */
  readonly id: string;
}

/** Creates a fingerprint of the sorts and of the searched objects, which `scope` names. It serves as the list name in cursors. */
export function createQueryFingerprint(scope: string, sorts: readonly Sort[]): string {
  const parts = sorts.map(({ key, descending }) => [getKeyName(key), descending]);
  return hash("sha256", JSON.stringify([scope, parts]), "base64url").slice(0, 8);
}

/** Types of the values in cursors, by the kind of the sort key. */
export const CURSOR_TYPES: Readonly<Record<Sort["key"]["kind"], CursorType>> = {
  time: "integer",
  text: "string",
  user: "string",
  people: "string",
  relation: "string",
  number: "number",
  checkbox: "number",
  rollup: "number",
  unsortable: "number",
};
