import { decodeCursor, encodeCursor, type TimePosition } from "../../domain/cursor.js";
import { BEFORE_FIRST_ID } from "../../storage/sql-helpers.js";

/** The part of a list to return. Parts are not called pages, because pages are objects of this service. */
export interface Pagination {
  /** `nextCursor` of the result to continue; undefined for the beginning. */
  readonly cursor?: string | undefined;
  /** Maximum number of elements in the part. */
  readonly size: number;
}

export interface ListResult<Body, Results = readonly Body[]> {
  readonly results: Results;
  /** Continues after the results; null at the end of the list. */
  readonly nextCursor: string | null;
}

/** Part of a list, before its elements are converted to response bodies. */
export interface ListPart<Element> {
  readonly elements: readonly Element[];
  /** Continues after the elements; null at the end of the list. */
  readonly nextCursor: string | null;
  /** Encodes the cursor that continues after an element. */
  readonly encodeCursorAfter: (element: Element) => string;
}

/** Creates a part of at most `size` elements from `found`, which has one more if the list continues. */
export function createListPart<Element>(
  found: readonly Element[],
  size: number,
  encodeCursorAfter: (element: Element) => string,
): ListPart<Element> {
  const elements = found.slice(0, size);
  const last = found.length > size ? elements.at(-1) : undefined;
  return { elements, nextCursor: last === undefined ? null : encodeCursorAfter(last), encodeCursorAfter };
}

/**
 * Reads part of a list that is ordered by id. Throws a DomainError (invalid_cursor) when the cursor belongs to another list.
 *
 * @param listName name of the list in cursors
 * @param read reads at most `limit` elements after the id `after`, which is BEFORE_FIRST_ID for the beginning
 */
export async function readListPart<Element extends { readonly id: string }>(
  listName: string,
  { cursor, size }: Pagination,
  read: (after: string, limit: number) => Promise<readonly Element[]>,
): Promise<ListPart<Element>> {
  const [after = BEFORE_FIRST_ID] = decodeCursor(listName, cursor, ["id"]);
  return createListPart(await read(after, size + 1), size, ({ id }) => encodeCursor(listName, [id]));
}

/**
 * Reads part of a list that is ordered by time. Throws as `readListPart` does.
 *
 * @param read reads at most `limit` elements after a position, or from the beginning
 * @param getTime returns the time by which an element is ordered
 */
export async function readListPartByTime<Element extends { readonly id: string }>(
  listName: string,
  { cursor, size }: Pagination,
  read: (after: TimePosition | undefined, limit: number) => Promise<readonly Element[]>,
  getTime: (element: Element) => number,
): Promise<ListPart<Element>> {
  const [id, time] = decodeCursor(listName, cursor, ["id", "integer"]);
  const found = await read(id === undefined ? undefined : { id, time: Number(time) }, size + 1);
  return createListPart(found, size, (last) => encodeCursor(listName, [last.id, getTime(last)]));
}
