import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Parent } from "../domain/object.js";
import { findBlock, later, touchPage } from "./blocks.js";
import type { Tables } from "./tables.js";

/**
 * The tables whose rows can be in the trash. Blocks are last: the way from a page to the pages in it leads over the rows
 * that those have among its blocks.
 */
const TABLES = ["pages", "databases", "blocks"] as const;

/**
 * Moves an object to the trash, and all that is in it: the blocks of a page and what is in them, the pages of a
 * database. What was in the trash already stays there for its own sake.
 *
 * @param id A page, database or block that is not in the trash.
 */
export async function moveToTrash(
  tx: Kysely<Tables>,
  workspaceId: string,
  id: string,
  by: string,
  now: number,
): Promise<void> {
  for (const table of TABLES) {
    await sql`
      update ${sql.table(table)} set in_trash = 1, trash_root = ${id}, version = version + 1
      where workspace_id = ${workspaceId} and in_trash = 0 and id in (${treeOf(workspaceId, id)})
    `.execute(tx);
  }
  await noteEdit(tx, workspaceId, id, by, now);
}

/**
 * Brings an object back from the trash, and with it what went there with it.
 *
 * @param id A page, database or block that was put into the trash itself, and is in nothing that is there.
 */
export async function bringBack(
  tx: Kysely<Tables>,
  workspaceId: string,
  id: string,
  by: string,
  now: number,
): Promise<void> {
  for (const table of TABLES) {
    await sql`
      update ${sql.table(table)} set in_trash = 0, trash_root = null, version = version + 1
      where workspace_id = ${workspaceId} and trash_root = ${id} and id in (${treeOf(workspaceId, id)})
    `.execute(tx);
  }
  await noteEdit(tx, workspaceId, id, by, now);
}

/**
 * The ids of an object and of all that is in it, without what is in the trash for another reason. An object has either
 * blocks in it, or as a database pages.
 */
function treeOf(workspaceId: string, root: string): RawBuilder<unknown> {
  // Either of two joins finds something, never both. They walk over what one statement for a table has changed before
  // the next one asks, which is why rows on both sides of the change count.
  return sql`
    with recursive tree (id) as (
      select id from pages where workspace_id = ${workspaceId} and id = ${root}
      union
      select id from databases where workspace_id = ${workspaceId} and id = ${root}
      union
      select id from blocks where workspace_id = ${workspaceId} and id = ${root}
      union
      select coalesce(b.id, p.id) from tree t
      left join blocks b on b.workspace_id = ${workspaceId} and b.parent_id = t.id
        and (b.in_trash = 0 or b.trash_root = ${root})
      left join pages p on p.workspace_id = ${workspaceId} and p.parent_id = t.id
        and p.parent_type = 'database_id' and (p.in_trash = 0 or p.trash_root = ${root})
      where coalesce(b.id, p.id) is not null
    )
    select id from tree
  `;
}

/** The object was edited, and the page that it is in as well. */
async function noteEdit(
  tx: Kysely<Tables>,
  workspaceId: string,
  id: string,
  by: string,
  now: number,
): Promise<void> {
  for (const table of TABLES) {
    await tx
      .updateTable(table)
      .set({ last_edited_time: later(now), last_edited_by: by })
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", id)
      .execute();
  }
  const block = await findBlock(tx, workspaceId, id);
  if (block !== undefined) await touchPage(tx, workspaceId, block.pageId, by, now);
}

const TABLE_OF = { database_id: "databases", page_id: "pages", block_id: "blocks" } as const;

/** Whether what an object is in is in the trash. */
export async function isInTrash(db: Kysely<Tables>, workspaceId: string, parent: Parent): Promise<boolean> {
  if (parent.type === "workspace") return false;
  const row = await db
    .selectFrom(TABLE_OF[parent.type])
    .select("in_trash")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", parent.id)
    .executeTakeFirst();
  return row?.in_trash === 1;
}
