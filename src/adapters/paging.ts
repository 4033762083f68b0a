/** The most results that an answer has, and as many as it has when the request does not say. */
export const LARGEST_PAGE = 100;

/** What a request says about the part of a list that it wants. */
interface PageRequest {
  readonly start_cursor?: string | null | undefined;
  readonly page_size?: number | null | undefined;
}

/** The part of a list that a request wants. */
export interface PageWanted {
  /** Where to begin; undefined for the beginning. */
  readonly cursor: string | undefined;
  readonly size: number;
}

/**
 * Reads what a request says about paging, in the query string or in the body. There are clients that send the text
 * "null" for no cursor.
 */
export function pageWanted({ start_cursor: cursor, page_size: size }: PageRequest = {}): PageWanted {
  const begins = cursor === undefined || cursor === null || cursor === "" || cursor === "null";
  return { cursor: begins ? undefined : cursor, size: size || LARGEST_PAGE };
}

/** What all lists have in common. */
export interface ListBody<Result> {
  object: "list";
  results: Result[];
  next_cursor: string | null;
  has_more: boolean;
  request_id: string;
}

/**
 * Makes what all lists have in common.
 *
 * @param found The elements from the cursor on, one more than wanted where there is one.
 * @param size How many are wanted.
 * @param cursorAfter Writes the cursor that goes on after an element.
 * @param show Makes what the answer shows of an element.
 */
export function listBody<Element, Result>(
  requestId: string,
  found: readonly Element[],
  size: number,
  cursorAfter: (last: Element) => string,
  show: (element: Element) => Result,
): ListBody<Result> {
  const elements = found.slice(0, size);
  const last = elements.at(-1);
  const next = found.length > size && last !== undefined ? cursorAfter(last) : null;
  return {
    object: "list",
    results: elements.map(show),
    next_cursor: next,
    has_more: next !== null,
    request_id: requestId,
  };
}
