import { DomainError } from "./errors.js";
import { parseId } from "./ids.js";

/**
 * Writes the cursor that goes on after an element of a list that is in the order of its ids.
 *
 * @param list What is listed; the cursor of one list does not do for another.
 */
export function formatListCursor(list: string, lastId: string): string {
  return Buffer.from(JSON.stringify([list, lastId])).toString("base64url");
}

/**
 * Reads a cursor.
 *
 * @returns The id of the element that the list goes on after.
 * @throws DomainError (validation) when it is none, or that of another list.
 */
export function parseListCursor(list: string, cursor: string): string {
  const [name, id] = readPair(cursor);
  if (name !== list || typeof id !== "string" || parseId(id) !== id) {
    throw new DomainError("validation", `The start_cursor provided is invalid: ${cursor}`);
  }
  return id;
}

function readPair(cursor: string): unknown[] {
  try {
    const pair: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(pair) ? pair : [];
  } catch {
    // Not written here: the caller is told so.
    return [];
  }
}
