import type { Schemas } from "../../domain/api-schemas.js";
import { createQueryFingerprint } from "../../domain/query/query-cursor.js";
import type { Sort } from "../../domain/query/sort.js";
import { type SearchResult, searchTitles } from "../../storage/query/search.js";
import type { ReadScope } from "../execution/scope.js";
import { type ListPart, type Pagination, readListPartByTime } from "./list-parts.js";

export type TitleSearch = Pick<Schemas["SearchBody"], "query" | "filter" | "sort">;

/** Finds part of the pages and databases with words in their titles, by last edit. Throws a DomainError (invalid_cursor). */
export function findByTitle(
  scope: ReadScope,
  { query = "", filter, sort }: TitleSearch,
  pagination: Pagination,
): Promise<ListPart<SearchResult>> {
  const descending = sort?.direction !== "ascending";
  const key: Sort = { key: { kind: "time", column: "last_edited_time" }, descending };
  const titleQuery = { text: query, kind: filter?.value, descending };
  return readListPartByTime(
    createQueryFingerprint("search", [key]),
    pagination,
    (after, limit) => searchTitles(scope, { ...titleQuery, after, limit }),
    ({ lastEditedTime }) => lastEditedTime,
  );
}
