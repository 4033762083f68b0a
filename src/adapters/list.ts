import { MAX_PAGE_SIZE } from "../budgets.js";
import type { ListRange, ListResult } from "../operations/list.js";

/** Pagination parameters of a request, from the query string or the body. */
interface ListParameters {
  readonly start_cursor?: string | null | undefined;
  readonly page_size?: number | null | undefined;
}

/** Parses pagination parameters. Some clients send the text "null" for no cursor, and 0 for the default size. */
export function parseListRange({ start_cursor: cursor, page_size: size }: ListParameters = {}): ListRange {
  const isFirstPart = cursor === undefined || cursor === null || cursor === "" || cursor === "null";
  return { cursor: isFirstPart ? undefined : cursor, size: size || MAX_PAGE_SIZE };
}

/**
 * Creates the fields that all lists have in common. Handlers add `type` and, as Notion's API does, an empty object with the
 * name of the type.
 */
export function createListBody<Element>(requestId: string, { results, nextCursor }: ListResult<Element>) {
  return {
    object: "list" as const,
    // The cast: the generated type of a list is a mutable array, but nothing changes a response.
    results: results as Element[],
    next_cursor: nextCursor,
    has_more: nextCursor !== null,
    request_id: requestId,
  };
}
