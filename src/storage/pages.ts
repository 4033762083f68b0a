import type { Kysely } from "kysely";
import type { Page } from "../domain/page.js";
import type { Schema } from "../domain/schema.js";
import { compileOnce } from "./compile-once.js";
import { parseSchema } from "./schema-cache.js";
import type { PagesTable, Tables } from "./tables.js";

/** A page, and the properties of the database that it is in. */
export interface PageWithSchema {
  readonly page: Page;
  readonly schema: Schema;
}

const selectPage = compileOnce((db, workspaceId: string, pageId: string) =>
  db
    .selectFrom("pages as p")
    .innerJoin("databases as d", (join) =>
      join.onRef("d.workspace_id", "=", "p.workspace_id").onRef("d.id", "=", "p.database_id"),
    )
    .select([
      "p.id",
      "p.database_id",
      "p.created_time",
      "p.last_edited_time",
      "p.created_by",
      "p.last_edited_by",
      "p.icon",
      "p.cover",
      "p.in_trash",
      "p.properties",
      "d.properties as schema",
    ])
    .where("p.workspace_id", "=", workspaceId)
    .where("p.id", "=", pageId)
    .limit(1),
);

/**
 * Reads a page.
 *
 * @param db `store.read`, or the transaction of a job.
 * @returns The page with its schema, the same object again while nothing has changed; undefined when the workspace has
 *   no page of that id.
 */
export async function findPage(
  db: Kysely<Tables>,
  workspaceId: string,
  pageId: string,
): Promise<PageWithSchema | undefined> {
  const [row] = await selectPage(db, workspaceId, pageId);
  if (row === undefined) return undefined;
  return parseRow(row);
}

type JoinedRow = PageRow & { schema: string };

/** Bounds the memory for rows that were read before. */
const MAX_KEPT = 1000;
const kept = new Map<string, { row: JoinedRow; parsed: PageWithSchema }>();

/** Parses a row. One that equals the last of its page, as most do, gives the same object again. */
function parseRow(row: JoinedRow): PageWithSchema {
  const known = kept.get(row.id);
  if (known !== undefined && isSameRow(known.row, row)) return known.parsed;
  const parsed = { page: toPage(row), schema: parseSchema(row.schema) };
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(row.id, { row, parsed });
  return parsed;
}

function isSameRow(one: JoinedRow, other: JoinedRow): boolean {
  return (
    one.last_edited_time === other.last_edited_time &&
    one.properties === other.properties &&
    one.schema === other.schema &&
    one.in_trash === other.in_trash &&
    one.icon === other.icon &&
    one.cover === other.cover &&
    one.last_edited_by === other.last_edited_by &&
    one.database_id === other.database_id &&
    one.created_time === other.created_time &&
    one.created_by === other.created_by
  );
}

/** Adds a page. The caller has made sure that its database is one of the workspace. */
export async function insertPage(tx: Kysely<Tables>, workspaceId: string, page: Page): Promise<void> {
  await tx
    .insertInto("pages")
    .values({ ...toRow(page), workspace_id: workspaceId })
    .execute();
}

/** Replaces what is stored for a page that exists. */
export async function updatePage(tx: Kysely<Tables>, workspaceId: string, page: Page): Promise<void> {
  await tx
    .updateTable("pages")
    .set(toRow(page))
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", page.id)
    .execute();
}

type PageRow = Omit<PagesTable, "workspace_id">;

function toPage(row: PageRow): Page {
  return {
    id: row.id,
    databaseId: row.database_id,
    createdTime: row.created_time,
    lastEditedTime: row.last_edited_time,
    createdBy: row.created_by,
    lastEditedBy: row.last_edited_by,
    icon: row.icon === null ? null : JSON.parse(row.icon),
    cover: row.cover === null ? null : JSON.parse(row.cover),
    inTrash: row.in_trash !== 0,
    properties: JSON.parse(row.properties),
  };
}

function toRow(page: Page): PageRow {
  return {
    id: page.id,
    database_id: page.databaseId,
    created_time: page.createdTime,
    last_edited_time: page.lastEditedTime,
    created_by: page.createdBy,
    last_edited_by: page.lastEditedBy,
    icon: page.icon === null ? null : JSON.stringify(page.icon),
    cover: page.cover === null ? null : JSON.stringify(page.cover),
    in_trash: page.inTrash ? 1 : 0,
    properties: JSON.stringify(page.properties),
  };
}
