import { createHash } from "node:crypto";
import { DomainError } from "../errors.js";
import { parseId } from "../ids.js";
import type { Sort } from "./sort.js";

/** What a page is sorted by: one value for each sort, null where it has none. */
export type SortValue = string | number | null;

/** What kind of values a sort has. */
export type SortType = "string" | "number" | "integer";

/** The place of a row in the order of a query. */
export interface Position {
  readonly values: readonly SortValue[];
  readonly id: string;
}

/**
 * Names an order, so that a cursor tells which it belongs to.
 *
 * @param scope what is listed, such as the id of a database
 */
export function orderName(scope: string, sorts: readonly Sort[]): string {
  const parts = sorts.map(({ key, descending }) => [nameOf(key), descending]);
  return createHash("sha256")
    .update(JSON.stringify([scope, parts]))
    .digest("base64url")
    .slice(0, 8);
}

function nameOf(key: Sort["key"]): string[] {
  switch (key.kind) {
    case "time":
    case "user":
      return [key.kind, key.column];
    case "rollup":
      return [key.kind, key.source.rollup.id, key.source.rollup.function];
    case "none":
      return [key.kind];
    default:
      return [key.kind, key.propertyId];
  }
}

/** Writes the cursor that goes on after a row. */
export function formatCursor(order: string, position: Position): string {
  return Buffer.from(JSON.stringify([order, position.id, ...position.values])).toString("base64url");
}

/**
 * Reads a cursor.
 *
 * @param order the name of the order that it has to belong to
 * @param types what the values of the order are
 * @throws DomainError (validation) when it is none, or that of another query
 */
export function parseCursor(text: string, order: string, types: readonly SortType[]): Position {
  const [name, id, ...values] = readList(text);
  if (
    name !== order ||
    typeof id !== "string" ||
    parseId(id) !== id ||
    values.length !== types.length ||
    !values.every((value, index): value is SortValue => fitsType(value, types[index]))
  ) {
    throw new DomainError("validation", `The start_cursor provided is invalid: ${text}`);
  }
  return { values, id };
}

/** Databases refuse other values, so that they would fail and not the request. */
function fitsType(value: unknown, type: SortType | undefined): boolean {
  if (value === null) return true;
  if (typeof value === "string") return type === "string" && !value.includes("\0");
  return type === "number" ? typeof value === "number" : type === "integer" && Number.isSafeInteger(value);
}

function readList(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
