import { DomainError } from "./errors.js";
import { parseId } from "./ids.js";
import { abbreviate } from "./text.js";

/* Encodes and decodes cursors. A cursor contains the name of its list, so that other lists can refuse it. */

/** A value in a cursor: an id, a number or a sort key. A sort key is null when the page has no value for the sort. */
export type CursorValue = string | number | null;

/** Place in a list that is ordered by a time, in milliseconds since 1970, and by id where times are equal. */
export interface TimePosition {
  readonly time: number;
  readonly id: string;
}

/** The type of a value in a cursor. An ordinal is the position of an item from 0, stored as a 32-bit integer. */
export type CursorType = "id" | "string" | "number" | "integer" | "ordinal";

type CursorValues<Types extends readonly CursorType[]> = {
  [Index in keyof Types]: Types[Index] extends "id" ? string : CursorValue;
};

/** The largest value of a 32-bit integer column, such as the column of ordinals on PostgreSQL. */
const MAX_ORDINAL = 2_147_483_647;

/** Matches brackets and braces except the first one. In texts of a cursor they are escaped, so that only nested values have any. */
const NESTED = /(?!^)[[{]/g;

/** Encodes the cursor that continues a list after the element with the given values. */
export function encodeCursor(list: string, values: readonly CursorValue[]): string {
  const json = JSON.stringify([list, ...values]);
  const flat = json.replace(NESTED, (bracket) => (bracket === "[" ? "\\u005b" : "\\u007b"));
  return Buffer.from(flat).toString("base64url");
}

/** Decodes the values of a cursor; none if it is undefined. Throws a DomainError (invalid_cursor) for a cursor of another list. */
export function decodeCursor<const Types extends readonly CursorType[]>(
  list: string,
  cursor: string | undefined,
  types: Types,
): CursorValues<Types> | never[] {
  if (cursor === undefined) return [];
  const [name, ...values] = parseArray(cursor);
  if (name !== list || !haveTypes(values, types)) throw createInvalidCursorError(cursor);
  return values;
}

function haveTypes<const Types extends readonly CursorType[]>(
  values: readonly unknown[],
  types: Types,
): values is CursorValues<Types> {
  return values.length === types.length && types.every((type, index) => CHECKS[type](values[index]));
}

/** Creates the error for a cursor that does not belong to a list. */
export function createInvalidCursorError(cursor: string): DomainError {
  const remedy = "Use the next_cursor of the last response of the same list.";
  return new DomainError(
    "invalid_cursor",
    `The start_cursor provided is invalid: ${abbreviate(cursor)}. ${remedy}`,
  );
}

/** Functions that check whether a value has a type. A value of another type could cause a database error, and the status 500. */
const CHECKS: Readonly<Record<CursorType, (value: unknown) => boolean>> = {
  id: (value) => typeof value === "string" && parseId(value) === value,
  string: (value) => value === null || (typeof value === "string" && !value.includes("\0")),
  number: (value) => value === null || typeof value === "number",
  integer: (value) => value === null || Number.isSafeInteger(value),
  ordinal: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_ORDINAL,
};

function parseArray(cursor: string): unknown[] {
  const json = Buffer.from(cursor, "base64url").toString();
  // Parsing 180,000 levels would take 140 ms.
  if (json.search(NESTED) !== -1) return [];
  try {
    const parsed: unknown = JSON.parse(json);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
