import { sql as kyselySql } from "kysely";
import { getFoldedText } from "../domain/properties/index-rows.js";
import type { StoredProperties } from "../domain/properties/stored.js";
import type { PropertyDefinition } from "../domain/schema.js";
import { hashPatterns, hashTrigrams, MAX_PAGE_TRIGRAMS } from "../domain/trigrams.js";
import { compileOnce } from "./engine/compile-once.js";
import { isPostgres } from "./engine/dialect.js";
import { type Fragment, sql } from "./query/sql.js";
import type { Db } from "./tables.js";

/*
 * Trigram index of the texts of pages. A lookup finds every page whose text contains a pattern, and possibly others, so
 * that callers must check the texts. Outdated entries may remain.
 */

/** A page to index. */
export interface PageTexts {
  readonly id: string;
  readonly properties: StoredProperties;
}

/**
 * Indexes the texts of a page that is not in the index yet.
 *
 * @param properties all properties of the page; those that are not texts are skipped
 */
export async function insertPageTexts(
  tx: Db,
  workspaceId: string,
  page: PageTexts,
  properties: readonly PropertyDefinition[],
): Promise<void> {
  const trigrams = new Set<number>();
  for (const property of properties) {
    const text = getFoldedText(property, page.properties);
    const left = MAX_PAGE_TRIGRAMS - trigrams.size;
    for (const trigram of hashTrigrams(hashScope(workspaceId, property.id), text, left))
      trigrams.add(trigram);
  }
  if (isPostgres(tx)) {
    await upsertArray(tx, workspaceId, page.id, formatArray(trigrams));
    return;
  }
  await insertPageNumber(tx, workspaceId, page.id);
  await insertTokens(tx, formatTokens(trigrams, " "));
}

/** Replaces the entries of a page in the index, see insertPageTexts. */
export async function replacePageTexts(
  tx: Db,
  workspaceId: string,
  page: PageTexts,
  properties: readonly PropertyDefinition[],
): Promise<void> {
  if (!isPostgres(tx)) await deleteTokens(tx, workspaceId, page.id);
  await insertPageTexts(tx, workspaceId, page, properties);
}

/** Deletes the trigrams of the first `count` pages of a workspace. On PostgreSQL they go with the rows of page_texts. */
export async function deleteFirstTrigrams(tx: Db, workspaceId: string, count: number): Promise<void> {
  if (isPostgres(tx)) return;
  await tx
    .deleteFrom("page_trigrams")
    .where("rowid", "in", (row) =>
      row
        .selectFrom("page_texts")
        .select("number")
        .where("workspace_id", "=", workspaceId)
        .orderBy("page_id")
        .limit(count),
    )
    .execute();
}

/**
 * Builds a SELECT of the page_id of all pages whose text in a property contains all patterns, and possibly of others.
 *
 * @param patterns folded texts
 * @returns undefined when the patterns are too short for the index
 */
export function selectPagesWithText(
  db: Db,
  workspaceId: string,
  propertyId: string,
  patterns: readonly string[],
): Fragment | undefined {
  const pattern = hashPatterns(hashScope(workspaceId, propertyId), patterns);
  if (pattern === undefined) return undefined;
  const { all, truncated } = pattern;
  if (isPostgres(db)) {
    const contains = (trigrams: ReadonlySet<number>) =>
      sql`x.trigrams @> ${formatArray(trigrams)}::integer[]`;
    return sql`select x.page_id from page_texts as x
      where x.workspace_id = ${workspaceId} and (${contains(all)} or ${contains(new Set([truncated]))})`;
  }
  const query = `(${formatTokens(all, " AND ")}) OR ${formatTokens([truncated], "")}`;
  return sql`select x.page_id from page_trigrams cross join page_texts as x
    where page_trigrams match ${query} and x.number = page_trigrams.rowid and x.workspace_id = ${workspaceId}`;
}

function hashScope(workspaceId: string, propertyId: string): string {
  return `${workspaceId} ${propertyId}`;
}

/** Formats trigrams as tokens for FTS5. */
function formatTokens(trigrams: Iterable<number>, separator: string): string {
  return Array.from(trigrams, (trigram) => (trigram >>> 0).toString(36)).join(separator);
}

function formatArray(trigrams: Iterable<number>): string {
  return `{${[...trigrams].join(",")}}`;
}

const upsertArray = compileOnce((db, workspaceId: string, pageId: string, trigrams: string) =>
  db
    .insertInto("page_texts")
    .values({ workspace_id: workspaceId, page_id: pageId, trigrams: kyselySql`${trigrams}::integer[]` })
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "page_id"])
        .doUpdateSet((row) => ({ trigrams: row.ref("excluded.trigrams") })),
    ),
);

// A changed page gets a new number, because FTS5 flushes its buffer to the file before it accepts a smaller number.
const insertPageNumber = compileOnce((db, workspaceId: string, pageId: string) =>
  db.insertInto("page_texts").orReplace().values({ workspace_id: workspaceId, page_id: pageId }),
);

const insertTokens = compileOnce((db, tokens: string) =>
  db.insertInto("page_trigrams").values({ rowid: kyselySql`last_insert_rowid()`, tokens }),
);

const deleteTokens = compileOnce((db, workspaceId: string, pageId: string) =>
  db
    .deleteFrom("page_trigrams")
    .where("rowid", "=", (row) =>
      row
        .selectFrom("page_texts")
        .select("number")
        .where("workspace_id", "=", workspaceId)
        .where("page_id", "=", pageId),
    ),
);
