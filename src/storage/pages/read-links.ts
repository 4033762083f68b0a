import { sql } from "kysely";
import { MAX_RELATIONS_PER_READ } from "../../budgets.js";
import type { Links } from "../../domain/properties/response-values.js";
import { getOrCreate } from "../../get-or-create.js";
import { chunk } from "../../lists.js";
import { readInParts } from "../sql-helpers.js";
import type { StorageScope } from "../tables.js";
import { createWaitIfLong } from "../wait-if-long.js";

/** Links by page id, then by property id. */
export type LinksByPage = ReadonlyMap<string, ReadonlyMap<string, Links>>;

/** Id of the linked page, in a SELECT of links. */
const LINKED_PAGE = sql<string>`v.text_key`;

type PageLinks = Map<string, { pageIds: string[]; hasMore: boolean }>;

/** Reads the links of pages in relations, in order, up to a limit for each page and relation. Calls `waitIfLong` in between. */
export async function findLinks(
  scope: StorageScope,
  pageIds: readonly string[],
  propertyIds: readonly string[],
  limit?: number,
  waitIfLong = createWaitIfLong(scope),
): Promise<LinksByPage> {
  const result = new Map<string, PageLinks>();
  for (const part of chunk(propertyIds, MAX_RELATIONS_PER_READ)) {
    for (const row of await readLinks(scope, pageIds, part, limit)) {
      const linksOfPage = getOrCreate(result, row.page_id, (): PageLinks => new Map());
      const links = getOrCreate(linksOfPage, row.property_id, () => ({ pageIds: [], hasMore: false }));
      if (links.pageIds.length === limit) links.hasMore = true;
      else links.pageIds.push(row.target_id);
    }
    await waitIfLong();
  }
  return result;
}

/** Reads the rows of links, with one more than the limit if there are more. */
function readLinks(
  scope: StorageScope,
  pageIds: readonly string[],
  propertyIds: readonly string[],
  limit: number | undefined,
) {
  return readInParts(pageIds, (ids) =>
    scope.db
      .selectFrom(
        selectVisibleLinks(scope)
          .select(["v.page_id", "v.property_id", "v.ordinal", LINKED_PAGE.as("target_id")])
          .select((eb) =>
            eb.fn
              .agg<number>("row_number")
              .over((over) => over.partitionBy(["v.page_id", "v.property_id"]).orderBy("v.ordinal"))
              .as("position"),
          )
          .where("v.page_id", "in", ids)
          .where("v.property_id", "in", propertyIds)
          .as("link"),
      )
      .select(["page_id", "property_id", "target_id"])
      .$if(limit !== undefined, (query) => query.where("position", "<=", (limit ?? 0) + 1))
      .orderBy("page_id")
      .orderBy("property_id")
      .orderBy("ordinal"),
  );
}

/** Reads the links of one relation of a page whose ordinal is greater than `after`. */
export async function findLinksAfter(
  scope: StorageScope,
  pageId: string,
  propertyId: string,
  after: number,
  limit: number,
): Promise<{ readonly pageId: string; readonly ordinal: number }[]> {
  return selectVisibleLinks(scope)
    .select([LINKED_PAGE.as("pageId"), "v.ordinal"])
    .where("v.page_id", "=", pageId)
    .where("v.property_id", "=", propertyId)
    .where("v.ordinal", ">", after)
    .orderBy("v.ordinal")
    .limit(limit)
    .execute();
}

/** Selects links to pages that are not in the trash. */
function selectVisibleLinks({ db, workspaceId }: StorageScope) {
  return db
    .selectFrom("property_values as v")
    .where("v.workspace_id", "=", workspaceId)
    .where(TARGET_IN_TRASH, "=", 0);
}

/** Whether the page of a link `v` is in the trash; null for a deleted page. Not a join, for which PostgreSQL may read all pages. */
export const TARGET_IN_TRASH = sql<number>`(
  select t.in_trash from pages as t where t.workspace_id = v.workspace_id and t.id = v.text_key
)`;
