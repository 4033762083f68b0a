import { sql, type SqlBool } from "kysely";
import {
  MAX_BATCH_BYTES,
  MAX_PAGES_PER_VALUE_COUNT,
  MAX_REVERSE_LINKS,
  MAX_VALUES_OF_LINKED_PAGE,
} from "../../budgets.js";
import type { DefinitionOf } from "../../domain/schema.js";
import { takeWithinLimit } from "../../lists.js";
import { readPageBytes } from "./page-bytes.js";
import { incrementPageVersions } from "./pages.js";
import { appendLinks, cleanFullPages, findFullPages, type Link } from "./relations.js";
import { BEFORE_FIRST_ID } from "../sql-helpers.js";
import { type StorageScope, TABLE_METADATA } from "../tables.js";
import { selectFrom } from "../workspace-rows.js";

const LINK_SIZE = TABLE_METADATA.property_values.rowSize;
/** Bytes of a link, as the storage limit counts them. Its text is the id of the linked page. */
export const STORED_LINK_BYTES = LINK_SIZE.fixedBytes + LINK_SIZE.texts.length * 36;

/** Counts the links of relations of a database, with hidden ones. */
export async function countLinks(
  scope: StorageScope,
  databaseId: string,
  relationIds: readonly string[],
): Promise<number> {
  const { count } = await selectFrom(scope, "property_values")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("database_id", "=", databaseId)
    .where("property_id", "in", relationIds)
    .where("text_key", "is not", null)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Inserts the reverse of up to MAX_REVERSE_LINKS links of a relation that has become two-way, except existing ones and those
 * of deleted or full pages. Removes links to deleted pages from up to MAX_PAGES_PER_VALUE_COUNT full pages. Returns the
 * last handled link, after which the next call continues; undefined when all links are done.
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
  const fullPages = await findFullPages(scope, targets, MAX_VALUES_OF_LINKED_PAGE);
  const cleanedPages = fullPages.slice(0, MAX_PAGES_PER_VALUE_COUNT);
  const skippedIds = new Set<string>();
  for await (const id of cleanFullPages(scope, cleanedPages, MAX_VALUES_OF_LINKED_PAGE)) skippedIds.add(id);
  const [nextFullPage] = fullPages.slice(MAX_PAGES_PER_VALUE_COUNT);
  const doneLinks = takeLinksBefore(links, nextFullPage?.id);
  const reverseLinks = takeLinksBefore(missing, nextFullPage?.id)
    .filter(({ targetId }) => !skippedIds.has(targetId))
    .map(({ pageId, targetId }) => ({ pageId: targetId, targetId: pageId }));
  await appendLinks(scope, relation.databaseId, propertyId, reverseLinks);
  await incrementPageVersions(scope, [...new Set(reverseLinks.map(({ pageId }) => pageId))]);
  return doneLinks.length < MAX_REVERSE_LINKS && doneLinks.length === found.length
    ? undefined
    : doneLinks.at(-1);
}

/** Returns the links, ordered by target, that precede those of a target; all links without one. */
function takeLinksBefore(links: readonly Link[], targetId: string | undefined): readonly Link[] {
  const end = links.findIndex((link) => link.targetId === targetId);
  return end === -1 ? links : links.slice(0, end);
}

/** Returns the first links, ordered by target, whose targets have at most MAX_BATCH_BYTES together, but those of at least one. */
async function takeLinksWithinBytes(scope: StorageScope, links: readonly Link[]): Promise<readonly Link[]> {
  const targetIds = [...new Set(links.map(({ targetId }) => targetId))];
  const bytes = new Map((await readPageBytes(scope, targetIds)).map((page) => [page.id, page.bytes]));
  const taken = new Set(takeWithinLimit(targetIds, MAX_BATCH_BYTES, (id) => bytes.get(id) ?? 0));
  return links.filter(({ targetId }) => taken.has(targetId));
}
