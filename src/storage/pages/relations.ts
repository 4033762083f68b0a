import { sql } from "kysely";
import { MAX_CLEANED_LINKS, MAX_PAGES_PER_VALUE_COUNT, MAX_VALUES_OF_LINKED_PAGE } from "../../budgets.js";
import type { DefinitionOf } from "../../domain/schema.js";
import { chunk, getIds } from "../../lists.js";
import { findDatabase } from "../databases/databases.js";
import { TARGET_IN_TRASH } from "./read-links.js";
import { deleteSelected, MAX_IDS, readByIds, readInParts } from "../sql-helpers.js";
import { deleteValues, type IndexedPage, insertPropertyRows } from "./property-values.js";
import type { StorageScope } from "../tables.js";
import { deleteFrom, selectFrom } from "../workspace-rows.js";

/* Links of relations, with a row for each direction. Links to trashed and deleted pages keep their rows, but are hidden. */

/** The pages to which a change adds and removes links. */
interface LinkChange {
  readonly addedIds: readonly string[];
  readonly removedIds: readonly string[];
}

/**
 * Replaces the links of a relation of a page, in both directions if the relation is two-way. Keeps links to pages in the trash at
 * their positions, because responses hide them from those who write links, but not those that a page with
 * MAX_VALUES_OF_LINKED_PAGE values has no room for. Returns the ids of the added and removed pages. Then the caller must increment
 * their versions, so that an update based on the old links does not match If-Match, and must roll back the transaction if one of the
 * added pages has more than MAX_VALUES_OF_LINKED_PAGE values now.
 */
export async function replaceLinks(
  scope: StorageScope,
  page: Pick<IndexedPage, "id" | "databaseId">,
  relation: DefinitionOf<"relation">,
  targetIds: readonly string[],
): Promise<LinkChange> {
  const previousRows = await scope.db
    .selectFrom("property_values as v")
    .select(["v.ordinal", "v.text_key as id", TARGET_IN_TRASH.as("in_trash")])
    .where("v.workspace_id", "=", scope.workspaceId)
    .where("v.page_id", "=", page.id)
    .where("v.property_id", "=", relation.id)
    .orderBy("v.ordinal")
    .execute();
  const newIds = new Set<string | null>(targetIds);
  const hiddenOrdinals = previousRows.flatMap((row) =>
    row.in_trash === 1 && !newIds.has(row.id) ? row.ordinal : [],
  );
  const freeValues = hiddenOrdinals.length === 0 ? 0 : await countFreeValues(scope, page.id, relation.id);
  const keptOrdinals = new Set(hiddenOrdinals.slice(0, Math.max(0, freeValues - targetIds.length)));
  const replacedRows = previousRows.filter((row) => !keptOrdinals.has(row.ordinal));
  const replacedIds = new Set(replacedRows.flatMap((row) => row.id ?? []));
  const addedIds = targetIds.filter((id) => !replacedIds.has(id));
  const removedIds = [...replacedIds].filter((id) => !newIds.has(id));
  if (keptOrdinals.size === 0 && replacedIds.size > 0) {
    await deleteValues(scope, [page.id], [relation.id]);
  } else {
    for (const rows of chunk(replacedRows, MAX_IDS)) {
      await deleteFrom(scope, "property_values")
        .where("page_id", "=", page.id)
        .where("property_id", "=", relation.id)
        .where(
          "ordinal",
          "in",
          rows.map((row) => row.ordinal),
        )
        .execute();
    }
  }
  let ordinal = 0;
  const links = targetIds.map((targetId) => {
    while (keptOrdinals.has(ordinal)) ordinal += 1;
    return { pageId: page.id, targetId, ordinal: ordinal++ };
  });
  await insertLinks(scope, page.databaseId, relation.id, links);
  await replaceReverseLinks(scope, page.id, relation, { addedIds, removedIds });
  return { addedIds, removedIds };
}

/** Counts the values of a property for which a page with MAX_VALUES_OF_LINKED_PAGE values has room beside its other ones. */
async function countFreeValues(scope: StorageScope, pageId: string, propertyId: string): Promise<number> {
  const others = selectFrom(scope, "property_values")
    .select("ordinal")
    .where("page_id", "=", pageId)
    .where("property_id", "!=", propertyId)
    .limit(MAX_VALUES_OF_LINKED_PAGE);
  const { count } = await scope.db
    .selectFrom(others.as("other"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return MAX_VALUES_OF_LINKED_PAGE - count;
}

/** Makes the same change in the other direction of a two-way relation. */
async function replaceReverseLinks(
  scope: StorageScope,
  pageId: string,
  { databaseId, syncedPropertyId }: DefinitionOf<"relation">,
  { addedIds, removedIds }: LinkChange,
): Promise<void> {
  if (syncedPropertyId === null) return;
  for (const ids of chunk(removedIds, MAX_IDS)) {
    // With the database, so that the index of text_key finds the link. Otherwise all links of these pages would be read.
    await deleteFrom(scope, "property_values")
      .where("page_id", "in", ids)
      .where("database_id", "=", databaseId)
      .where("property_id", "=", syncedPropertyId)
      .where("text_key", "=", pageId)
      .execute();
  }
  // The other side can have a link that this side lacks: this page was full when the relation became two-way, or a job adds it later.
  const existing = await readInParts(addedIds, (ids) =>
    selectFrom(scope, "property_values")
      .select("page_id as id")
      .where("page_id", "in", ids)
      .where("database_id", "=", databaseId)
      .where("property_id", "=", syncedPropertyId)
      .where("text_key", "=", pageId),
  );
  const existingIds = new Set(getIds(existing));
  const reverseLinks = addedIds.flatMap((id) =>
    existingIds.has(id) ? [] : { pageId: id, targetId: pageId },
  );
  await appendLinks(scope, databaseId, syncedPropertyId, reverseLinks);
}

/** A page whose values and links are counted, and the database of its relations. */
type LinkedPage = Pick<IndexedPage, "id" | "databaseId">;

/** Finds the pages that have at least `minimum` values and links, in the given order. */
export async function findFullPages(
  scope: StorageScope,
  pages: readonly LinkedPage[],
  minimum: number,
): Promise<LinkedPage[]> {
  const select = (ids: readonly string[]) =>
    selectFrom(scope, "property_values")
      .select("page_id as id")
      .where("page_id", "in", ids)
      .groupBy("page_id")
      .having((eb) => eb(eb.fn.countAll(), ">=", minimum));
  const fullIds = new Set(getIds(await readInParts(getIds(pages), select, MAX_PAGES_PER_VALUE_COUNT)));
  return pages.filter(({ id }) => fullIds.has(id));
}

/**
 * Deletes links of full pages to deleted pages, up to MAX_CLEANED_LINKS of each. Yields the ids of the pages that still have at least
 * `minimum` values and links, each before the next page is cleaned, because a caller that refuses the first one needs no others.
 *
 * @param fullPages at most MAX_PAGES_PER_VALUE_COUNT, because other writes wait for the deletion
 */
export async function* cleanFullPages(
  scope: StorageScope,
  fullPages: readonly LinkedPage[],
  minimum: number,
): AsyncGenerator<string> {
  for (const page of fullPages) {
    await deleteLinksToDeletedPages(scope, page);
    yield* getIds(await findFullPages(scope, [page], minimum));
  }
}

/** Deletes links of a page to deleted pages, up to MAX_CLEANED_LINKS. Nobody sees and could remove them. */
async function deleteLinksToDeletedPages(scope: StorageScope, { id, databaseId }: LinkedPage): Promise<void> {
  const definitions = (await findDatabase(scope, databaseId))?.schema.definitions ?? [];
  const relationIds = definitions.flatMap((property) => (property.type === "relation" ? property.id : []));
  if (relationIds.length === 0) return;
  const links = sql`as v where v.workspace_id = ${scope.workspaceId} and v.page_id = ${id}
    and v.property_id in (${sql.join(relationIds)}) and ${TARGET_IN_TRASH} is null limit ${sql.lit(MAX_CLEANED_LINKS)}`;
  await deleteSelected(scope.db, "property_values", links);
}

/** A link of a relation, from one page to another. */
export interface Link {
  readonly pageId: string;
  readonly targetId: string;
}

/** Adds links behind the last ones of their pages. */
export async function appendLinks(
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
