import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { Block, BlockTree } from "../domain/blocks/block.js";
import { newId } from "../domain/ids.js";
import { newObject, type Parent, type StoredObject } from "../domain/object.js";
import { BLOCK_COLUMNS, type FoundBlock, toBlock, toBlockRow } from "./block-rows.js";
import { compileOnce } from "./compile-once.js";
import { firstPositions, makePositions, paired } from "./positions.js";
import type { BlocksTable, Tables } from "./tables.js";

/** Rows that one statement inserts; every database has a limit of its own, and all of them are above this. */
const ROWS_AT_ONCE = 100;

/** Not in the trash. Written into the SQL: there is an index of just these, which no parameter would find. */
const SHOWN = sql.lit(0);

const selectBlock = compileOnce((db, workspaceId: string, blockId: string) =>
  db
    .selectFrom("blocks as b")
    .select(BLOCK_COLUMNS)
    .select(hasChildren)
    .where("b.workspace_id", "=", workspaceId)
    .where("b.id", "=", blockId)
    .limit(1),
);

const selectChildren = compileOnce((db, workspaceId: string, parentId: string, from: string, limit: string) =>
  db
    .selectFrom("blocks as b")
    .select(BLOCK_COLUMNS)
    .select(hasChildren)
    .where("b.workspace_id", "=", workspaceId)
    .where("b.parent_id", "=", parentId)
    .where("b.in_trash", "=", SHOWN)
    .where("b.position", ">=", from)
    .orderBy("b.position")
    .limit(sql<number>`cast(${limit} as integer)`),
);

const selectOneChild = compileOnce((db, workspaceId: string, parentId: string) =>
  db
    .selectFrom("blocks")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("parent_id", "=", parentId)
    .where("in_trash", "=", SHOWN)
    .limit(1),
);

/** Whether a block has children that are not in the trash, 1 or 0. */
function hasChildren(eb: ExpressionBuilder<Tables & { b: BlocksTable }, "b">) {
  const child = eb
    .selectFrom("blocks as c")
    .select(sql`1`.as("one"))
    .whereRef("c.workspace_id", "=", "b.workspace_id")
    .whereRef("c.parent_id", "=", "b.id")
    .where("c.in_trash", "=", SHOWN);
  return sql<number>`case when exists ${child} then 1 else 0 end`.as("has_children");
}

/**
 * Reads a block. Of a page or database among the blocks of a page it has the place, and nothing else.
 *
 * @param db `store.read`, or the transaction of a job.
 * @returns undefined when the workspace has no block of that id; pages elsewhere than in a page are none here.
 */
export async function findBlock(
  db: Kysely<Tables>,
  workspaceId: string,
  blockId: string,
): Promise<FoundBlock | undefined> {
  const [row] = await selectBlock(db, workspaceId, blockId);
  return row && toBlock(row);
}

/**
 * Reads children of a block or page in their order, without those in the trash.
 *
 * @param from The id of the child to begin with, which may be in the trash by now; the first when it is left out.
 * @param limit How many at most.
 * @returns undefined when the parent has no child with the id `from`.
 */
export async function findChildren(
  db: Kysely<Tables>,
  workspaceId: string,
  parentId: string,
  from: string | undefined,
  limit: number,
): Promise<FoundBlock[] | undefined> {
  let position = "";
  if (from !== undefined) {
    const found = await db
      .selectFrom("blocks")
      .select("position")
      .where("workspace_id", "=", workspaceId)
      .where("parent_id", "=", parentId)
      .where("id", "=", from)
      .executeTakeFirst();
    if (found === undefined) return undefined;
    position = found.position;
  }
  const rows = await selectChildren(db, workspaceId, parentId, position, String(limit));
  return rows.map(toBlock);
}

/** Whether a block or page has children that are not in the trash. */
export async function hasShownChildren(
  db: Kysely<Tables>,
  workspaceId: string,
  parentId: string,
): Promise<boolean> {
  const rows = await selectOneChild(db, workspaceId, parentId);
  return rows.length > 0;
}

/** Where new blocks go, who makes them, and when. */
export interface NewBlocks {
  readonly parent: Parent & { readonly type: "page_id" | "block_id" };
  /** The page that the parent is in, or is itself. */
  readonly pageId: string;
  readonly trees: readonly BlockTree[];
  /** The child of the parent after which they are put; at the end when it is left out. */
  readonly after?: string | undefined;
  readonly by: string;
  readonly now: number;
}

/**
 * Adds blocks with all that is in them. The caller has made sure that the parent can take them.
 *
 * @returns those that are directly in the parent; undefined when it has no child with the id `after`
 */
export async function insertBlocks(
  tx: Kysely<Tables>,
  workspaceId: string,
  { parent, pageId, trees, after, by, now }: NewBlocks,
): Promise<FoundBlock[] | undefined> {
  const positions = await makePositions(tx, workspaceId, parent.id, trees.length, after);
  if (positions === undefined) return undefined;
  const rows: BlocksTable[] = [];

  function add(tree: BlockTree, into: NewBlocks["parent"], position: string): FoundBlock {
    const { type, content, children } = tree;
    const block = { ...newObject(newId(), into, by, now), pageId, type, content };
    rows.push(toBlockRow(workspaceId, block, position));
    for (const [child, own] of paired(children, firstPositions(children.length))) {
      add(child, { type: "block_id", id: block.id }, own);
    }
    return { ...block, hasChildren: children.length > 0, version: 0 };
  }

  const added = paired(trees, positions).map(([tree, position]) => add(tree, parent, position));
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await tx
      .insertInto("blocks")
      .values(rows.slice(start, start + ROWS_AT_ONCE))
      .execute();
  }
  return added;
}

/** Replaces what is in a block. */
export async function updateBlock(tx: Kysely<Tables>, workspaceId: string, block: Block): Promise<void> {
  await tx
    .updateTable("blocks")
    .set((row) => ({
      content: JSON.stringify(block.content),
      last_edited_time: block.lastEditedTime,
      last_edited_by: block.lastEditedBy,
      version: row("version", "+", 1),
    }))
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", block.id)
    .execute();
}

/**
 * Gives a new page or database its place among the blocks of what it is in, at the end. Of one in a database or in the
 * workspace itself there is nothing to place.
 */
export async function placeAmongBlocks(
  tx: Kysely<Tables>,
  workspaceId: string,
  object: StoredObject,
  type: "child_page" | "child_database",
): Promise<void> {
  const { parent } = object;
  if (parent.type !== "page_id" && parent.type !== "block_id") return;
  const pageId =
    parent.type === "page_id" ? parent.id : (await findBlock(tx, workspaceId, parent.id))?.pageId;
  if (pageId === undefined)
    throw new Error(`the block ${parent.id} that ${object.id} is to be in does not exist`);
  const [position] = (await makePositions(tx, workspaceId, parent.id, 1, undefined)) ?? [];
  if (position === undefined) throw new Error("no position was made");
  await tx
    .insertInto("blocks")
    .values(toBlockRow(workspaceId, { ...object, pageId, type, content: {} }, position))
    .execute();
  await touchPage(tx, workspaceId, pageId, object.createdBy, object.createdTime);
}

/** Notes that what is in a page has changed: the page was edited, by whom and when. */
export async function touchPage(
  tx: Kysely<Tables>,
  workspaceId: string,
  pageId: string,
  by: string,
  now: number,
): Promise<void> {
  await tx
    .updateTable("pages")
    .set((row) => ({
      last_edited_time: later(now),
      last_edited_by: by,
      version: row("version", "+", 1),
    }))
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", pageId)
    .execute();
}

/** A time of last edit never goes back, even when a clock does. */
export function later(now: number) {
  return sql<number>`case when last_edited_time < ${now} then ${now} else last_edited_time end`;
}
