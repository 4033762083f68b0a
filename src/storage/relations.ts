import { sql, type SqlBool } from "kysely";
import {
  MAX_BATCH_BYTES,
  MAX_PAGES_PER_VALUE_COUNT,
  MAX_RELATIONS_PER_READ,
  MAX_REVERSE_LINKS,
  MAX_VALUES_OF_LINKED_PAGE,
} from "../budgets.js";
import type { Links } from "../domain/properties/response-values.js";
import type { DefinitionOf } from "../domain/schema.js";
import { getOrCreate } from "../get-or-create.js";
import { chunk, getIds, takeWithinLimit } from "../lists.js";
import { findSchemas } from "./databases.js";
import { readPageBytes } from "./page-bytes.js";
import { incrementPageVersions } from "./pages.js";
import { BEFORE_FIRST_ID, MAX_IDS, readByIds, readInParts } from "./sql-helpers.js";
import { deleteValues, type IndexedPage, insertPropertyRows } from "./property-values.js";
import type { StorageScope } from "./tables.js";
import { createWaitIfLong } from "./wait-if-long.js";
import { deleteFrom, selectFrom } from "./workspace-rows.js";

/* Links of relations, with a row for each direction. Links to trashed and deleted pages keep their rows, but are hidden. */

/** Links by page id, then by property id. */
export type LinksByPage = ReadonlyMap<string, ReadonlyMap<string, Links>>;

/** Id of the linked page, in a SELECT of links. */
const LINKED_PAGE = sql<string>`v.text_key`;

type PageLinks = Map<string, { pageIds: string[]; hasMore: boolean }>;

/**
 * Reads the links of pages in the given relations, in order, up to a limit for each page and relation.
 *
 * @param waitIfLong called after each statement, because all relations of a page together can have 100,000 links
 */
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

/** Whether the linked page is in the trash. Not a join, for which PostgreSQL without statistics may read all pages per link. */
const TARGET_IN_TRASH = sql<number>`(
  select t.in_trash from pages as t where t.workspace_id = v.workspace_id and t.id = v.text_key
)`;

/**
 * Replaces the links of a relation of a page, in both directions if the relation is two-way. Returns the ids of the added and removed
 * pages. Then the caller must increment their versions, so that an update based on the old links does not match If-Match, and must
 * roll back the transaction if one of the added pages has more than MAX_VALUES_OF_LINKED_PAGE values now.
 */
export async function replaceLinks(
  scope: StorageScope,
  page: Pick<IndexedPage, "id" | "databaseId">,
  relation: DefinitionOf<"relation">,
  targetIds: readonly string[],
): Promise<{ readonly addedIds: readonly string[]; readonly removedIds: readonly string[] }> {
  const previousRows = await selectFrom(scope, "property_values")
    .select("text_key")
    .where("page_id", "=", page.id)
    .where("property_id", "=", relation.id)
    .execute();
  const previousIds = new Set(previousRows.flatMap((row) => row.text_key ?? []));
  const newIds = new Set(targetIds);
  const addedIds = targetIds.filter((id) => !previousIds.has(id));
  const removedIds = [...previousIds].filter((id) => !newIds.has(id));
  if (previousIds.size > 0) await deleteValues(scope, [page.id], [relation.id]);
  const links = targetIds.map((targetId, ordinal) => ({ pageId: page.id, targetId, ordinal }));
  await insertLinks(scope, page.databaseId, relation.id, links);
  const { syncedPropertyId } = relation;
  if (syncedPropertyId === null) return { addedIds, removedIds };
  for (const ids of chunk(removedIds, MAX_IDS)) {
    // With the database, so that the index of text_key finds the link. Otherwise all links of these pages would be read.
    await deleteFrom(scope, "property_values")
      .where("page_id", "in", ids)
      .where("database_id", "=", relation.databaseId)
      .where("property_id", "=", syncedPropertyId)
      .where("text_key", "=", page.id)
      .execute();
  }
  const reverseLinks = addedIds.map((id) => ({ pageId: id, targetId: page.id }));
  await appendLinks(scope, relation.databaseId, syncedPropertyId, reverseLinks);
  return { addedIds, removedIds };
}

/**
 * Deletes links to deleted pages, which nobody sees and could remove, from pages that have at least `minimum` values and links.
 * Cleans MAX_PAGES_PER_VALUE_COUNT pages at most. Returns the ids of the pages that still have as many.
 */
export async function cleanFullPages(
  scope: StorageScope,
  pages: readonly Pick<IndexedPage, "id" | "databaseId">[],
  minimum: number,
): Promise<string[]> {
  const ids = getIds(pages);
  const fullIds = await findPagesWithValues(scope, ids, minimum);
  if (fullIds.length === 0) return [];
  const cleanedIds = fullIds.slice(0, MAX_PAGES_PER_VALUE_COUNT);
  const databaseIds = new Map(pages.map(({ id, databaseId }) => [id, databaseId]));
  const readIds = new Set(cleanedIds.flatMap((id) => databaseIds.get(id) ?? []));
  const { schemas } = await findSchemas(scope, [...readIds]);
  for (const id of cleanedIds) {
    const { definitions = [] } = schemas.get(databaseIds.get(id) ?? "") ?? {};
    const relationIds = definitions.flatMap((property) => (property.type === "relation" ? property.id : []));
    await deleteLinksToDeletedPages(scope, id, relationIds);
  }
  const stillFullIds = await findPagesWithValues(scope, cleanedIds, minimum);
  return [...stillFullIds, ...fullIds.slice(MAX_PAGES_PER_VALUE_COUNT)];
}

async function deleteLinksToDeletedPages(
  scope: StorageScope,
  pageId: string,
  relationIds: readonly string[],
): Promise<void> {
  if (relationIds.length === 0) return;
  await deleteFrom(scope, "property_values")
    .where("page_id", "=", pageId)
    .where("property_id", "in", relationIds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("pages as t")
            .select("t.id")
            .whereRef("t.workspace_id", "=", "property_values.workspace_id")
            .whereRef("t.id", "=", "property_values.text_key"),
        ),
      ),
    )
    .execute();
}

async function findPagesWithValues(
  scope: StorageScope,
  pageIds: readonly string[],
  minimum: number,
): Promise<string[]> {
  const select = (ids: readonly string[]) =>
    selectFrom(scope, "property_values")
      .select("page_id")
      .where("page_id", "in", ids)
      .groupBy("page_id")
      .having((eb) => eb(eb.fn.countAll(), ">=", minimum));
  return (await readInParts(pageIds, select, MAX_PAGES_PER_VALUE_COUNT)).map((row) => row.page_id);
}

/** A link of a relation, from one page to another. */
export interface Link {
  readonly pageId: string;
  readonly targetId: string;
}

async function appendLinks(
  scope: StorageScope,
  databaseId: string,
  propertyId: string,
  links: readonly Link[],
): Promise<void> {
  // A subquery for each page, which finds the last link in the index. With a GROUP BY, databases read all links of the pages.
  const lastOrdinals = await readByIds(
    [...new Set(links.map(({ pageId }) => pageId))],
    selectFrom(scope, "pages").select([
      "id",
      sql<number | null>`(select max(v.ordinal) from property_values as v
        where v.workspace_id = ${scope.workspaceId} and v.page_id = pages.id and v.property_id = ${propertyId})`.as(
        "ordinal",
      ),
    ]),
  );
  const nextOrdinals = new Map(lastOrdinals.map(({ id, ordinal }) => [id, (ordinal ?? -1) + 1]));
  const appended = links.map((link) => {
    const ordinal = nextOrdinals.get(link.pageId) ?? 0;
    nextOrdinals.set(link.pageId, ordinal + 1);
    return { ...link, ordinal };
  });
  await insertLinks(scope, databaseId, propertyId, appended);
}

/**
 * Inserts the reverse of up to MAX_REVERSE_LINKS links of a relation that has become two-way, except existing ones and those
 * of deleted or full pages. Returns the last link, after which the next call continues; undefined when all links are done.
 */
export async function addReverseLinks(
  scope: StorageScope,
  databaseId: string,
  relation: DefinitionOf<"relation">,
  after: Link | undefined,
): Promise<Link | undefined> {
  const { db, workspaceId } = scope;
  const { syncedPropertyId: propertyId } = relation;
  if (propertyId === null) return undefined;
  const found = await selectFrom(scope, "property_values")
    .select(["page_id as pageId", "text_key as targetId"])
    .where("database_id", "=", databaseId)
    .where("property_id", "=", relation.id)
    .where("text_key", "is not", null)
    .where(
      sql<SqlBool>`(text_key, page_id) > (${after?.targetId ?? BEFORE_FIRST_ID}, ${after?.pageId ?? BEFORE_FIRST_ID})`,
    )
    .orderBy("text_key")
    .orderBy("page_id")
    .limit(MAX_REVERSE_LINKS)
    .$narrowType<{ targetId: string }>()
    .execute();
  const links = await takeLinksWithinBytes(scope, found);
  if (links.length === 0) return undefined;
  const rows = sql.join(links.map(({ pageId, targetId }) => sql`(${pageId}, ${targetId})`));
  const { rows: missing } = await sql<Link>`
    select link.column1 as "pageId", link.column2 as "targetId" from (values ${rows}) as link
    where not exists (
      select 1 from property_values as v
      where v.workspace_id = ${workspaceId} and v.database_id = ${relation.databaseId}
        and v.property_id = ${propertyId} and v.text_key = link.column1 and v.page_id = link.column2)
      and exists (select 1 from pages where workspace_id = ${workspaceId} and id = link.column2)
    order by 2, 1
  `.execute(db);
  const targetIds = new Set(missing.map(({ targetId }) => targetId));
  const targets = [...targetIds].map((id) => ({ id, databaseId: relation.databaseId }));
  const fullIds = new Set(await cleanFullPages(scope, targets, MAX_VALUES_OF_LINKED_PAGE));
  const reverseLinks = missing
    .filter(({ targetId }) => !fullIds.has(targetId))
    .map(({ pageId, targetId }) => ({ pageId: targetId, targetId: pageId }));
  await appendLinks(scope, relation.databaseId, propertyId, reverseLinks);
  await incrementPageVersions(scope, [...new Set(reverseLinks.map(({ pageId }) => pageId))]);
  return links.length < MAX_REVERSE_LINKS && links.length === found.length ? undefined : links.at(-1);
}

/** Returns the first links, ordered by target, whose targets have at most MAX_BATCH_BYTES together, but those of at least one. */
async function takeLinksWithinBytes(scope: StorageScope, links: readonly Link[]): Promise<readonly Link[]> {
  const targetIds = [...new Set(links.map(({ targetId }) => targetId))];
  const bytes = new Map((await readPageBytes(scope, targetIds)).map((page) => [page.id, page.bytes]));
  const taken = new Set(takeWithinLimit(targetIds, MAX_BATCH_BYTES, (id) => bytes.get(id) ?? 0));
  return links.filter(({ targetId }) => taken.has(targetId));
}

async function insertLinks(
  { db, workspaceId }: StorageScope,
  databaseId: string,
  propertyId: string,
  links: readonly (Link & { readonly ordinal: number })[],
): Promise<void> {
  const rows = links.map(({ pageId, targetId, ordinal }) => ({
    workspace_id: workspaceId,
    page_id: pageId,
    database_id: databaseId,
    property_id: propertyId,
    ordinal,
    text_key: targetId,
    number_key: null,
    end_key: null,
  }));
  await insertPropertyRows(db, rows);
}
