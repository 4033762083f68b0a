import { MAX_RESPONSE_BYTES } from "../budgets.js";
import { decodeCursor, encodeCursor } from "../domain/cursor.js";
import { takeWithinBytes } from "../storage/content-size.js";
import { estimateSize } from "./response-size.js";

/** The part of a list to return. Parts are not called pages, because pages are objects of this service. */
export interface Pagination {
  /** `nextCursor` of the result to continue; undefined for the beginning. */
  readonly cursor?: string | undefined;
  /** Maximum number of elements in the part. */
  readonly size: number;
}

export interface ListResult<Body> {
  readonly results: readonly Body[];
  /** Continues after the results; null at the end of the list. */
  readonly nextCursor: string | null;
}

/** Part of a list, before its elements are converted to response bodies. */
export class ListPart<Element> {
  /**
   * @param hasMore Whether the list continues after the elements.
   * @param encodeCursorAfter Encodes the cursor that continues after an element.
   */
  constructor(
    readonly elements: readonly Element[],
    readonly hasMore: boolean,
    readonly encodeCursorAfter: (element: Element) => string,
  ) {}

  /** The cursor that continues after the elements; null at the end of the list. */
  get nextCursor(): string | null {
    const last = this.elements.at(-1);
    return this.hasMore && last !== undefined ? this.encodeCursorAfter(last) : null;
  }

  /** Returns the part with the first `count` elements. */
  take(count: number): ListPart<Element> {
    const hasMore = this.hasMore || this.elements.length > count;
    return new ListPart(this.elements.slice(0, count), hasMore, this.encodeCursorAfter);
  }
}

/** Creates a part of at most `size` elements from `found`, which has one more if the list continues. */
export function createListPart<Element>(
  found: readonly Element[],
  size: number,
  encodeCursorAfter: (element: Element) => string,
): ListPart<Element> {
  return new ListPart(found.slice(0, size), found.length > size, encodeCursorAfter);
}

/**
 * Reads part of a list that is ordered by id. Throws a DomainError (invalid_cursor) when the cursor belongs to another list.
 *
 * @param listName name of the list in cursors
 * @param read reads at most `limit` elements after the id `after`, which is empty for the beginning
 */
export async function readListPart<Element extends { readonly id: string }>(
  listName: string,
  { cursor, size }: Pagination,
  read: (after: string, limit: number) => Promise<readonly Element[]>,
): Promise<ListPart<Element>> {
  const [after = ""] = decodeCursor(listName, cursor, ["id"]);
  return createListPart(await read(after, size + 1), size, ({ id }) => encodeCursor(listName, [id]));
}

/**
 * Creates the result of a list from the response bodies of a part: as many as fit into a response, but at least one. The bodies
 * are in the order of the elements. Elements that were deleted in the meantime have no body.
 */
export function createListResult<
  Element extends { readonly id: string },
  Body extends { readonly id: string },
>(part: ListPart<Element>, bodies: readonly Body[]): ListResult<Body> {
  const results = takeWithinBytes(bodies, MAX_RESPONSE_BYTES, estimateSize);
  if (results.length === bodies.length) return { results, nextCursor: part.nextCursor };
  const lastId = results.at(-1)?.id;
  const count = part.elements.findIndex(({ id }) => id === lastId) + 1;
  return { results, nextCursor: part.take(count).nextCursor };
}
