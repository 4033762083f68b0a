// Two SQL builders: Kysely's for its own queries, and `sql` of this project for parts of filters.
import { sql as kyselySql } from "kysely";
import { MAX_HASHED_TEXT_LENGTH } from "../../budgets.js";
import { getFoldedText } from "../../domain/properties/index-rows.js";
import type { PropertyDefinition } from "../../domain/schema.js";
import { hashPatterns, hashTrigrams } from "../../domain/trigrams.js";
import type { IndexedPage } from "./property-values.js";
import { compileOnce } from "../engine/compile-once.js";
import { isPostgres } from "../engine/dialect.js";
import { type Fragment, sql } from "../query/sql.js";
import type { StorageScope } from "../tables.js";
import { compileForWorkspace, deleteFrom, insertInto, selectFrom } from "../workspace-rows.js";

/* Trigram index of the texts of pages. Lookups find candidates: hashes collide, and removed texts may remain in the index. */

/** Limit of the trigrams of a page. Beyond it, each further text adds one trigram and its truncation mark. */
const MAX_PAGE_TRIGRAMS = 10_000;

/** Indexes the texts of a page, and replaces its entries unless it is new. Skips properties that are not texts. */
export async function indexPageTexts(
  scope: StorageScope,
  page: Pick<IndexedPage, "id" | "properties">,
  properties: readonly PropertyDefinition[],
  { isNew }: { isNew: boolean },
): Promise<void> {
  const { db, workspaceId } = scope;
  const trigrams = new Set<number>();
  const texts = properties.map((property) => ({
    id: property.id,
    text: getFoldedText(property, page.properties),
  }));
  let length = 0;
  // The shortest first, so that a long text does not keep titles and other short ones from being hashed.
  for (const { id, text } of texts.sort((one, other) => one.text.length - other.text.length)) {
    length += text.length;
    const remaining = length > MAX_HASHED_TEXT_LENGTH ? 0 : MAX_PAGE_TRIGRAMS - trigrams.size;
    const namespace = formatNamespace(workspaceId, id);
    for (const trigram of hashTrigrams(namespace, text, remaining)) trigrams.add(trigram);
  }
  if (isPostgres(db)) {
    await upsertArray(scope, page.id, formatArray(trigrams));
    return;
  }
  if (isNew) {
    await insertPageNumber(scope, page.id);
  } else {
    await deleteTokens(scope, page.id);
    await replacePageNumber(scope, page.id);
  }
  // Uses last_insert_rowid(), so no other statement may come between.
  await insertTokens(db, formatTokens(trigrams, " "));
}

/** Deletes the trigrams of the first `count` pages of a workspace on SQLite. On PostgreSQL they are in the rows of page_texts. */
export async function deleteFirstTrigrams(scope: StorageScope, count: number): Promise<void> {
  if (isPostgres(scope.db)) return;
  const numbers = selectFrom(scope, "page_texts").select("number").orderBy("page_id").limit(count);
  await scope.db.deleteFrom("page_trigrams").where("rowid", "in", numbers).execute();
}

/** Deletes the entries of pages from the index. */
export async function deletePageTexts(scope: StorageScope, pageIds: readonly string[]): Promise<void> {
  if (!isPostgres(scope.db)) {
    await scope.db
      .deleteFrom("page_trigrams")
      .where("rowid", "in", selectFrom(scope, "page_texts").select("number").where("page_id", "in", pageIds))
      .execute();
  }
  await deleteFrom(scope, "page_texts").where("page_id", "in", pageIds).execute();
}

/** Selects the pages whose text in a property may contain all folded patterns; undefined when these are too short. */
export function selectPagesWithText(
  { db, workspaceId }: StorageScope,
  propertyId: string,
  patterns: readonly string[],
): Fragment | undefined {
  const hashed = hashPatterns(formatNamespace(workspaceId, propertyId), patterns);
  if (hashed === undefined) return undefined;
  // Pages with the truncation mark are always found, because their texts are not indexed completely.
  const { requiredHashes, truncationMark } = hashed;
  if (isPostgres(db)) {
    const contains = (trigrams: ReadonlySet<number>) =>
      sql`x.trigrams @> ${formatArray(trigrams)}::integer[]`;
    return sql`select x.page_id from page_texts as x
      where x.workspace_id = ${sql.workspaceId} and (${contains(requiredHashes)} or ${contains(new Set([truncationMark]))})`;
  }
  const query = `(${formatTokens(requiredHashes, " AND ")}) OR ${formatTokens([truncationMark], "")}`;
  // The cross join makes SQLite read the trigrams first.
  return sql`select x.page_id from page_trigrams cross join page_texts as x
    where page_trigrams match ${query} and x.number = page_trigrams.rowid and x.workspace_id = ${sql.workspaceId}`;
}

/** Formats the prefix that is hashed with a trigram, so that properties and workspaces have different hashes. */
function formatNamespace(workspaceId: string, propertyId: string): string {
  return `${workspaceId} ${propertyId}`;
}

/** Formats hashes of trigrams as tokens for FTS5: numbers in base 36. */
function formatTokens(trigrams: Iterable<number>, separator: string): string {
  return Array.from(trigrams, (trigram) => trigram.toString(36)).join(separator);
}

function formatArray(trigrams: Iterable<number>): string {
  return `{${[...trigrams].join(",")}}`;
}

const upsertArray = compileForWorkspace((scope, pageId: string, trigrams: string) =>
  insertInto(scope, "page_texts", {
    page_id: pageId,
    trigrams: kyselySql`${trigrams}::integer[]`,
  }).onConflict((conflict) =>
    conflict
      .columns(["workspace_id", "page_id"])
      .doUpdateSet((eb) => ({ trigrams: eb.ref("excluded.trigrams") })),
  ),
);

const insertPageNumber = compileForWorkspace((scope, pageId: string) =>
  insertInto(scope, "page_texts", { page_id: pageId }),
);

// A changed page gets a new, higher number, because FTS5 writes its buffer to the file when a number is lower than the last.
const replacePageNumber = compileForWorkspace((scope, pageId: string) =>
  insertInto(scope, "page_texts", { page_id: pageId }).orReplace(),
);

const insertTokens = compileOnce((db, tokens: string) =>
  db.insertInto("page_trigrams").values({ rowid: kyselySql`last_insert_rowid()`, tokens }),
);

const deleteTokens = compileForWorkspace((scope, pageId: string) =>
  scope.db
    .deleteFrom("page_trigrams")
    .where("rowid", "=", selectFrom(scope, "page_texts").select("number").where("page_id", "=", pageId)),
);
