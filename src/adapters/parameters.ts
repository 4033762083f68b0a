import { MAX_RESULTS } from "../budgets.js";
import type { Pagination } from "../operations/load/list-parts.js";

/** Pagination parameters of a request, from the query string or the body. */
interface PaginationParameters {
  readonly start_cursor?: string | null | undefined;
  readonly page_size?: number | null | undefined;
}

/** Parses pagination parameters. Some clients send the text "null" for no cursor, and 0 for the default size. */
export function parsePagination({
  start_cursor: cursor,
  page_size: size,
}: PaginationParameters = {}): Pagination {
  const isFirstPart = cursor === undefined || cursor === null || cursor === "" || cursor === "null";
  return { cursor: isFirstPart ? undefined : cursor, size: size || MAX_RESULTS };
}

/** Query parameter that selects the properties of a response. Some clients send it with brackets: `filter_properties[]=Name`. */
interface FilterPropertiesQuery {
  readonly filter_properties?: readonly string[];
  readonly "filter_properties[]"?: readonly string[];
}

/** Returns the names or ids of the properties to show, from both spellings of the parameter; undefined to show all. */
export function parsePropertyFilter(query: FilterPropertiesQuery = {}): readonly string[] | undefined {
  const { filter_properties: unbracketed, "filter_properties[]": bracketed } = query;
  if (unbracketed === undefined || bracketed === undefined) return unbracketed ?? bracketed;
  return [...unbracketed, ...bracketed];
}
