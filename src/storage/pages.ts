import type { Kysely } from "kysely";
import { fold } from "../domain/fold.js";
import type { Page } from "../domain/page.js";
import { titleOf } from "../domain/properties/text.js";
import { TITLE_SCHEMA, type Schema } from "../domain/schema.js";
import { compileOnce } from "./compile-once.js";
import { toObject, toObjectRow } from "./object-columns.js";
import { parseSchema } from "./schema-cache.js";
import type { PagesTable, Tables } from "./tables.js";

/** A page, and the properties that it has values for: those of the database that it is in, or only a title. */
export interface PageWithSchema {
  readonly page: Page;
  readonly schema: Schema;
}

/** A page, its schema, and how often it was changed, see page-version.ts. */
export interface VersionedPage extends PageWithSchema {
  readonly version: number;
}

/** The version of a page that was just made. */
export const FIRST_VERSION = 0;

const COLUMNS = [
  "p.id",
  "p.parent_type",
  "p.parent_id",
  "p.trash_root",
  "p.title_text",
  "p.created_time",
  "p.last_edited_time",
  "p.created_by",
  "p.last_edited_by",
  "p.icon",
  "p.cover",
  "p.in_trash",
  "p.properties",
] as const;

const selectPage = compileOnce((db, workspaceId: string, pageId: string) =>
  fromPage(db, workspaceId, pageId).select([
    ...COLUMNS,
    "p.version",
    "d.properties as schema",
    "d.version as schema_version",
  ]),
);

const selectVersions = compileOnce((db, workspaceId: string, pageId: string) =>
  fromPage(db, workspaceId, pageId).select(["p.version", "d.version as schema_version"]),
);

/** A page, with its database where it is in one. */
function fromPage(db: Kysely<Tables>, workspaceId: string, pageId: string) {
  return db
    .selectFrom("pages as p")
    .leftJoin("databases as d", (join) =>
      join.onRef("d.workspace_id", "=", "p.workspace_id").onRef("d.id", "=", "p.parent_id"),
    )
    .where("p.workspace_id", "=", workspaceId)
    .where("p.id", "=", pageId)
    .limit(1);
}

/**
 * Reads a page.
 *
 * @param db `store.read`, or the transaction of a job.
 * @returns The page with its schema; undefined when the workspace has no page of that id.
 */
export async function findPage(
  db: Kysely<Tables>,
  workspaceId: string,
  pageId: string,
): Promise<VersionedPage | undefined> {
  const [row] = await selectPage(db, workspaceId, pageId);
  return row && toVersionedPage(row);
}

function toVersionedPage(row: PageRow & { version: number; schema: string | null }): VersionedPage {
  const schema = row.schema === null ? TITLE_SCHEMA : parseSchema(row.schema);
  return { page: toPage(row), schema, version: row.version };
}

/** How many ids a statement names at most. */
const MAX_IDS = 500;

/** Reads pages by their ids, in no order; ids of no page are passed over. */
export async function readPages(
  db: Kysely<Tables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let start = 0; start < ids.length; start += MAX_IDS) {
    const rows = await db
      .selectFrom("pages as p")
      .select(COLUMNS)
      .where("p.workspace_id", "=", workspaceId)
      .where("p.id", "in", ids.slice(start, start + MAX_IDS))
      .execute();
    for (const row of rows) pages.push(toPage(row));
  }
  return pages;
}

/** Reads a page of a workspace; the same object again while nothing of it has changed. */
export type PageReader = (workspaceId: string, pageId: string) => Promise<VersionedPage | undefined>;

/** Bounds the memory for pages that were read before. */
const MAX_KEPT = 1000;

/**
 * Makes a reader that keeps the pages it read last. It asks the database each time, but only for the versions of a page
 * that it has: the rest is read and parsed again when one of them has grown.
 *
 * @param db `store.read`.
 */
export function createPageReader(db: Kysely<Tables>): PageReader {
  const kept = new Map<string, { schemaVersion: number | null; found: VersionedPage }>();
  return async (workspaceId, pageId) => {
    const key = `${workspaceId} ${pageId}`;
    const known = kept.get(key);
    if (known !== undefined) {
      const [now] = await selectVersions(db, workspaceId, pageId);
      if (now?.version === known.found.version && now.schema_version === known.schemaVersion)
        return known.found;
    }
    const [row] = await selectPage(db, workspaceId, pageId);
    if (row === undefined) return undefined;
    const found = toVersionedPage(row);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, { schemaVersion: row.schema_version, found });
    return found;
  };
}

/**
 * Adds a page, without the rows of its values, see property-values.ts. The caller has made sure that what it is in is
 * there.
 */
export async function insertPage(tx: Kysely<Tables>, workspaceId: string, page: Page): Promise<void> {
  await tx
    .insertInto("pages")
    .values({ ...toRow(page), workspace_id: workspaceId, version: FIRST_VERSION })
    .execute();
}

/**
 * Replaces what an edit can change of a page that exists, but for the rows of its values: its place and the trash are
 * left as they are. The version grows by one.
 */
export async function updatePage(tx: Kysely<Tables>, workspaceId: string, page: Page): Promise<void> {
  const row = toRow(page);
  await updateRow(
    tx,
    workspaceId,
    page.id,
    row.title_text,
    row.icon,
    row.cover,
    row.properties,
    row.last_edited_time,
    row.last_edited_by,
  );
}

// SQLite writes every index anew that has a column which is named here, even where its value stays the same. The version is
// not asked for: what a statement returns costs libsql half as much as what it changes.
const updateRow = compileOnce(
  (
    db,
    workspaceId: string,
    id: string,
    titleText: string,
    icon: string | null,
    cover: string | null,
    properties: string,
    lastEditedTime: number,
    lastEditedBy: string,
  ) =>
    db
      .updateTable("pages")
      .set((row) => ({
        title_text: titleText,
        icon,
        cover,
        properties,
        last_edited_time: lastEditedTime,
        last_edited_by: lastEditedBy,
        version: row("version", "+", 1),
      }))
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", id),
);

type PageRow = Omit<PagesTable, "workspace_id" | "version">;

function toPage(row: PageRow): Page {
  return {
    ...toObject(row),
    icon: row.icon === null ? null : JSON.parse(row.icon),
    cover: row.cover === null ? null : JSON.parse(row.cover),
    properties: JSON.parse(row.properties),
  };
}

function toRow(page: Page): PageRow {
  return {
    ...toObjectRow(page),
    title_text: fold(titleOf(page.properties)),
    icon: page.icon === null ? null : JSON.stringify(page.icon),
    cover: page.cover === null ? null : JSON.stringify(page.cover),
    properties: JSON.stringify(page.properties),
  };
}
