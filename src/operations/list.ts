import { decodeCursor, encodeCursor } from "../domain/cursor.js";

/** The requested part of a list. */
export interface ListRange {
  /** `nextCursor` of the result to continue; undefined for the beginning. */
  readonly cursor?: string | undefined;
  /** Maximum number of elements in the part. */
  readonly size: number;
}

/** Part of a list. */
export interface ListResult<Element> {
  readonly results: readonly Element[];
  /** Continues after the part; null at the end of the list. */
  readonly nextCursor: string | null;
}

/**
 * Reads part of a list that is ordered by id.
 *
 * @param list name of the list in its cursors
 * @param read reads at most `limit` elements after the id `after`, which is empty for the beginning
 * @throws DomainError (validation) when the cursor is of another list
 */
export async function readById<Element extends { readonly id: string }>(
  list: string,
  { cursor, size }: ListRange,
  read: (after: string, limit: number) => Promise<readonly Element[]>,
): Promise<ListResult<Element>> {
  const [after = ""] = cursor === undefined ? [] : decodeCursor(list, cursor, ["id"]);
  return truncateList(await read(after, size + 1), size, ({ id }) => encodeCursor(list, [id]));
}

/**
 * Truncates elements to the size of a part.
 *
 * @param found the elements, one more than `size` when the list continues
 * @param cursorAfter encodes the cursor that continues after an element
 */
export function truncateList<Element>(
  found: readonly Element[],
  size: number,
  cursorAfter: (last: Element) => string,
): ListResult<Element> {
  const results = found.slice(0, size);
  const last = results.at(-1);
  return { results, nextCursor: found.length > size && last !== undefined ? cursorAfter(last) : null };
}
