import { sql } from "kysely";
import { MAX_PAGES_PER_VALUE_COUNT, MAX_RELATIONS_PER_READ } from "../../budgets.js";
import { chunk } from "../../lists.js";
import { readByIds, readInParts } from "../sql-helpers.js";
import type { StorageScope } from "../tables.js";
import { createWaitIfLong } from "../wait-if-long.js";
import { selectFrom } from "../workspace-rows.js";

/** Estimated memory of a link, without the linked page. */
const LINK_BYTES = 200;

/** Column of a SELECT from `pages`: the bytes of the values of a page. */
export const VALUE_BYTES = sql<number>`octet_length(properties)`.as("bytes");

/** Reads the sizes of the values of pages, without loading them, and the ids of their parents. Unknown ids are skipped. */
export function readPageBytes(scope: StorageScope, pageIds: readonly string[]) {
  return readByIds(pageIds, selectFrom(scope, "pages").select(["id", "parent_id as parentId", VALUE_BYTES]));
}

/** Estimates the memory of links by page id; of all values that may be links without `relationIds`. Calls `waitIfLong` in between. */
export async function readLinkBytes(
  scope: StorageScope,
  pageIds: readonly string[],
  relationIds?: readonly string[],
  waitIfLong = createWaitIfLong(scope),
): Promise<ReadonlyMap<string, number>> {
  const bytesById = new Map<string, number>();
  if (relationIds?.length === 0) return bytesById;
  for (const ids of chunk(pageIds, MAX_PAGES_PER_VALUE_COUNT)) {
    const rows = await selectFrom(scope, "property_values")
      .select(["page_id as pageId", (eb) => eb.fn.countAll<number>().as("count")])
      .where("page_id", "in", ids)
      .$if(relationIds !== undefined, (query) => query.where("property_id", "in", relationIds ?? []))
      .where("number_key", "is", null)
      .groupBy("page_id")
      .execute();
    for (const { pageId, count } of rows) bytesById.set(pageId, count * LINK_BYTES);
    await waitIfLong();
  }
  return bytesById;
}

/** Estimates the memory of links and of the values of the linked pages, by page and relation, without reading them. */
export async function readLinkedBytes(
  scope: StorageScope,
  pageIds: readonly string[],
  relationIds: readonly string[],
) {
  // Together, all relations of a page can have 100,000 links.
  const waitIfLong = createWaitIfLong(scope);
  const result = [];
  for (const part of chunk(relationIds, MAX_RELATIONS_PER_READ)) {
    for (const { bytes, count, ...row } of await readLinkedSums(scope, pageIds, part)) {
      // The sum is null if none of the linked pages exists.
      result.push({ ...row, pageBytes: bytes ?? 0, linkBytes: count * LINK_BYTES });
    }
    await waitIfLong();
  }
  return result;
}

function readLinkedSums(
  { db, workspaceId }: StorageScope,
  pageIds: readonly string[],
  relationIds: readonly string[],
) {
  return readInParts(pageIds, (ids) =>
    db
      .selectFrom((links) =>
        links
          .selectFrom("property_values as v")
          .select(["v.page_id as pageId", "v.property_id as relationId"])
          // Not a join: without statistics PostgreSQL would look for links to each page of the workspace.
          .select((eb) =>
            eb
              .selectFrom("pages as t")
              .select(sql<number>`octet_length(t.properties)`.as("bytes"))
              .whereRef("t.workspace_id", "=", "v.workspace_id")
              .whereRef("t.id", "=", "v.text_key")
              .as("bytes"),
          )
          .where("v.workspace_id", "=", workspaceId)
          .where("v.page_id", "in", ids)
          .where("v.property_id", "in", relationIds)
          .as("link"),
      )
      .select(["pageId", "relationId"])
      .select((eb) => [
        eb.fn.sum<number | null>("bytes").as("bytes"),
        eb.fn.count<number>("bytes").as("count"),
      ])
      .groupBy(["pageId", "relationId"]),
  );
}
