import { sql } from "kysely";
import { MAX_PAGES_PER_VERSION_UPDATE } from "../../budgets.js";
import type { Page } from "../../domain/page.js";
import type { Edit, StoredObject } from "../../domain/stored-object.js";
import { getTitle } from "../../domain/properties/plain-text.js";
import { TITLE_SCHEMA, type Schema } from "../../domain/schema.js";
import {
  buildEditColumns,
  NEXT_VERSION,
  OBJECT_COLUMNS,
  type ObjectRow,
  toObject,
  toObjectRow,
} from "../objects/object-columns.js";
import { compileOnce, takeFirst } from "../engine/compile-once.js";
import { isPostgres } from "../engine/dialect.js";
import { parseSchema } from "../databases/schema-cache.js";
import type { StorageScope, Tables } from "../tables.js";
import { buildHasIdInJson, MAX_IDS, hasRows, readByIds } from "../sql-helpers.js";
import { foldText, toStorableText } from "../../domain/text.js";
import { chunk } from "../../lists.js";
import { compileForWorkspace, selectFrom, updateTable } from "../workspace-rows.js";

/** A page whose icon, cover and properties are not parsed. */
export type UnparsedPage = StoredObject & Readonly<Pick<Tables["pages"], "icon" | "cover" | "properties">>;

/** A page and its schema: the properties of its database, or only a title. */
export interface PageWithSchema<PageForm = Page> {
  readonly page: PageForm;
  readonly schema: Schema;
}

/** Versions of a page and of its database, and their last edits, because versions repeat after a backup is imported. */
export interface PageVersions {
  /** Increases with every change of the page and of the blocks in it: its own version, and a part that its database has. */
  readonly version: number;
  /** Increases with every change of the page's database; null for a page outside of databases. */
  readonly schemaVersion: number | null;
  readonly lastEditedTime: number;
  readonly schemaEditedTime: number | null;
}

export type FoundPage<PageForm = Page> = PageWithSchema<PageForm> &
  PageVersions & {
    /** The job that converts the values of the database's pages; null if there is none. */
    readonly conversionJobId: string | null;
    /** Whether the page's database is in the trash. A job may still have to move the page there. */
    readonly isDatabaseInTrash: boolean;
  };

export const FIRST_VERSION = 0;

const PAGE_COLUMNS = [...OBJECT_COLUMNS, "icon", "cover", "properties"] as const;
const COLUMNS = [...PAGE_COLUMNS, "version"] as const;

const PAGE_VERSION = sql<number>`p.version + coalesce(d.pages_version, 0)`.as("version");

const selectPage = compileForWorkspace((scope, pageId: string) =>
  fromPage(scope, pageId).select([
    ...PAGE_COLUMNS.map((column) => `p.${column}` as const),
    PAGE_VERSION,
    "d.properties as schema",
    "d.version as schemaVersion",
    "d.last_edited_time as schemaEditedTime",
    "d.conversion_job_id as conversionJobId",
    "d.in_trash as databaseInTrash",
  ]),
);

/** Reads only the versions of a page; undefined when the workspace has no page with that id. */
export const findPageVersions = takeFirst(
  compileForWorkspace((scope, pageId: string) =>
    fromPage(scope, pageId).select([
      PAGE_VERSION,
      "d.version as schemaVersion",
      "p.last_edited_time as lastEditedTime",
      "d.last_edited_time as schemaEditedTime",
    ]),
  ),
);

function fromPage({ db, workspaceId }: StorageScope, pageId: string) {
  return db
    .selectFrom("pages as p")
    .leftJoin("databases as d", (join) =>
      join.onRef("d.workspace_id", "=", "p.workspace_id").onRef("d.id", "=", "p.parent_id"),
    )
    .where("p.workspace_id", "=", workspaceId)
    .where("p.id", "=", pageId)
    .limit(1);
}

/** Reads a page without parsing its JSON. */
export async function findUnparsedPage(
  scope: StorageScope,
  pageId: string,
): Promise<FoundPage<UnparsedPage> | undefined> {
  const [row] = await selectPage(scope, pageId);
  if (row === undefined) return undefined;
  const schema = row.schema === null ? TITLE_SCHEMA : parseSchema(row.schema);
  const { version, schemaVersion, schemaEditedTime, conversionJobId, last_edited_time: lastEditedTime } = row;
  const isDatabaseInTrash = row.databaseInTrash === 1;
  const versions = { version, schemaVersion, lastEditedTime, schemaEditedTime };
  return { page: toUnparsedPage(row), schema, ...versions, conversionJobId, isDatabaseInTrash };
}

/** Reads pages by their ids, in any order. Unknown ids are skipped. */
export async function findPages(scope: StorageScope, ids: readonly string[]): Promise<Page[]> {
  return (await findUnparsedPages(scope, ids)).map(({ page }) => parsePage(page));
}

/** Reads pages and their own versions by their ids, in any order, without parsing their JSON. Unknown ids are skipped. */
export async function findUnparsedPages(
  scope: StorageScope,
  ids: readonly string[],
): Promise<{ page: UnparsedPage; version: number }[]> {
  const rows = isPostgres(scope.db)
    ? await readByIds(ids, selectFrom(scope, "pages").select(COLUMNS))
    : await readInOneRow(scope, ids);
  return rows.map((row) => ({ page: toUnparsedPage(row), version: row.version }));
}

type PageRow = Pick<Tables["pages"], (typeof COLUMNS)[number]>;

/** Separates the values of pages in one text. JSON contains this character only escaped. */
const SEPARATOR = "\u001f";

const JSON_MEMBERS = COLUMNS.filter((column) => column !== "properties").map(
  (column) => sql`${sql.lit(column)}, ${sql.ref(column)}`,
);

/** Selects pages from SQLite as one row. The values have a text of their own, because they would be escaped in JSON. */
const selectInOneRow = compileForWorkspace((scope, ids: string) =>
  selectFrom(scope, "pages")
    .select([
      sql<string>`json_group_array(json_object(${sql.join(JSON_MEMBERS)}))`.as("rows"),
      sql<string | null>`group_concat(properties, ${SEPARATOR})`.as("properties"),
    ])
    .where(buildHasIdInJson(ids))
    .limit(1),
);

/** Reads pages as one row, because libsql takes several microseconds to return such a row: 230 instead of 410 µs for 100 pages. */
async function readInOneRow(scope: StorageScope, ids: readonly string[]): Promise<PageRow[]> {
  const pages: PageRow[] = [];
  for (const part of chunk(ids, MAX_IDS)) {
    const [row] = await selectInOneRow(scope, JSON.stringify(part));
    // Safe cast: these are the columns of the statement.
    const rows = JSON.parse(row?.rows ?? "[]") as Omit<PageRow, "properties">[];
    const values = row?.properties?.split(SEPARATOR) ?? [];
    for (const [index, properties] of values.entries()) {
      const found = rows[index];
      if (found !== undefined) pages.push({ properties, ...found });
    }
  }
  return pages;
}

/** Whether a database has more than `count` pages, including those in the trash. */
export async function hasMorePagesThan(
  scope: StorageScope,
  databaseId: string,
  count: number,
): Promise<boolean> {
  return hasRows(selectFrom(scope, "pages").select("id").where("parent_id", "=", databaseId).offset(count));
}

/** Counts the pages of a database, including those in the trash. */
export async function countPages(scope: StorageScope, databaseId: string): Promise<number> {
  const row = await selectFrom(scope, "pages")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("parent_id", "=", databaseId)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Inserts a page without the rows of its values, see property-values.ts. Its parent must exist. */
export async function insertPage(scope: StorageScope, page: Page): Promise<void> {
  // Not in two steps: an object that begins with a spread is slow, see DECISIONS.md.
  await insertRow(scope.db, {
    workspace_id: scope.workspaceId,
    version: FIRST_VERSION,
    ...toContentRow(page),
    ...toObjectRow(page),
  });
}

const insertRow = compileOnce((db, row: Tables["pages"]) => db.insertInto("pages").values(row));

/** Updates a page, except its parent, its trash state and the rows of its values. Increments its version. */
export async function updatePage(scope: StorageScope, page: Page): Promise<void> {
  await updateRow(scope, page.id, {
    last_edited_time: page.lastEditedTime,
    last_edited_by: page.lastEditedBy,
    ...toContentRow(page),
  });
}

// Sets only columns that can change, because SQLite rewrites the indexes of each column in SET, even if the value stays the same.
// Does not return the version, because RETURNING costs libsql half as much as the update itself.
const updateRow = compileForWorkspace((scope, id: string, columns: Partial<Tables["pages"]>) =>
  updateTable(scope, "pages")
    .set({ ...columns, version: NEXT_VERSION })
    .where("id", "=", id),
);

/** Records that the content of a page was edited, and increments its version. */
export async function recordPageEdit(scope: StorageScope, pageId: string, edit: Edit): Promise<void> {
  await updateTable(scope, "pages")
    .set({ ...buildEditColumns(edit), version: NEXT_VERSION })
    .where("id", "=", pageId)
    .execute();
}

/** Increments the versions of pages whose blocks or links change without an edit of the pages themselves. */
export async function incrementPageVersions(scope: StorageScope, ids: readonly string[]): Promise<void> {
  for (const part of chunk(ids, isPostgres(scope.db) ? MAX_IDS : MAX_PAGES_PER_VERSION_UPDATE)) {
    await updateTable(scope, "pages").set({ version: NEXT_VERSION }).where("id", "in", part).execute();
  }
}

function toUnparsedPage(
  row: ObjectRow & Pick<Tables["pages"], "icon" | "cover" | "properties">,
): UnparsedPage {
  const { icon, cover, properties } = row;
  return { icon, cover, properties, ...toObject(row) };
}

/** Parses the icon, cover and properties of a page. */
export function parsePage(stored: UnparsedPage): Page {
  return {
    ...stored,
    icon: stored.icon === null ? null : JSON.parse(stored.icon),
    cover: stored.cover === null ? null : JSON.parse(stored.cover),
    properties: JSON.parse(stored.properties),
  };
}

/** Maps what a page contains to its columns. */
function toContentRow(page: Page) {
  const plainTitle = toStorableText(getTitle(page.properties));
  return {
    plain_title: plainTitle,
    title_text: foldText(plainTitle),
    icon: page.icon === null ? null : JSON.stringify(page.icon),
    cover: page.cover === null ? null : JSON.stringify(page.cover),
    properties: JSON.stringify(page.properties),
  };
}
