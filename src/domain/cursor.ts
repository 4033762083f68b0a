import { type DomainError, createValidationError } from "./errors.js";
import { parseId } from "./ids.js";
import { abbreviate } from "./text.js";

/*
 * Encodes and decodes cursors. A cursor contains the name of its list, so that other lists can refuse it.
 */

/** A value in a cursor: an id, a number or a sort key. A sort key is null when the page has no value for the sort. */
export type CursorValue = string | number | null;

/** The type of a value in a cursor. An ordinal is the position of an item, stored as a 32-bit integer. */
export type CursorType = "id" | "string" | "number" | "integer" | "ordinal";

type CursorValues<Types extends readonly CursorType[]> = {
  [Index in keyof Types]: Types[Index] extends "id" ? string : CursorValue;
};

/** The largest value of a 32-bit integer column, such as the column of ordinals on PostgreSQL. */
const MAX_ORDINAL = 2_147_483_647;

/** Encodes the cursor that continues a list after the element with the given values. */
export function encodeCursor(list: string, values: readonly CursorValue[]): string {
  return Buffer.from(JSON.stringify([list, ...values])).toString("base64url");
}

/** Decodes a cursor of a list, if there is one. Throws a DomainError (validation) when it does not belong to the list. */
export function decodeCursor<const Types extends readonly CursorType[]>(
  list: string,
  cursor: string | undefined,
  types: Types,
): CursorValues<Types> | never[] {
  if (cursor === undefined) return [];
  const [name, ...values] = parseArray(cursor);
  if (
    name !== list ||
    values.length !== types.length ||
    !values.every((value, index) => hasType(value, types[index]))
  ) {
    throw createInvalidCursorError(cursor);
  }
  // The cast: every value has just been checked against its type.
  return values as unknown as CursorValues<Types>;
}

export function createInvalidCursorError(cursor: string): DomainError {
  return createValidationError(`The start_cursor provided is invalid: ${abbreviate(cursor)}`);
}

/** Whether a value has the given type. A value of another type could cause a database error, and the status 500. */
function hasType(value: unknown, type: CursorType | undefined): boolean {
  switch (type) {
    case "id":
      return typeof value === "string" && parseId(value) === value;
    case "string":
      return value === null || (typeof value === "string" && !value.includes("\0"));
    case "number":
      return value === null || typeof value === "number";
    case "integer":
      return value === null || Number.isSafeInteger(value);
    case "ordinal":
      return Number.isInteger(value) && Math.abs(Number(value)) <= MAX_ORDINAL;
    case undefined:
      return false;
  }
}

function parseArray(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
