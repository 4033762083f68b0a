import { type ExpressionBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Block, BlockContent, NewBlock } from "../../domain/blocks/block.js";
import type { StoredObject } from "../../domain/stored-object.js";
import { chunk, takeWithinLimit } from "../../lists.js";
import { BEFORE_FIRST_ID, buildHasIdInJson, MAX_IDS, hasRows, NOT_IN_TRASH } from "../sql-helpers.js";
import { compileInsert } from "../compile-insert.js";
import { isPostgres } from "../engine/dialect.js";
import {
  buildEditColumns,
  NEXT_VERSION,
  OBJECT_COLUMNS,
  toObject,
  toObjectRow,
} from "../objects/object-columns.js";
import { createFirstPositions, createPositions, findPosition, zipPositions } from "./positions.js";
import { getBytes, type RowLimit, type SizedRow } from "../row-limit.js";
import type { StorageScope, Tables } from "../tables.js";
import { compileForWorkspace, selectFrom, updateTable } from "../workspace-rows.js";

/** A block, and a field that is not in its row. */
export interface FoundBlock extends Block {
  /** Whether the block has children outside of the trash. False for a block in the trash. */
  readonly hasChildren: boolean;
}

/** Number of blocks whose rows are built at a time, so that few of them survive a garbage collection. */
const BLOCKS_PER_INSERT = 100;

const COLUMNS = [...OBJECT_COLUMNS, "page_id", "type", "content"] as const;

const selectBlock = compileForWorkspace((scope, blockId: string) =>
  selectFrom(scope, "blocks").select(COLUMNS).select(buildHasChildren).where("id", "=", blockId).limit(1),
);

const CONTENT_BYTES = sql<number>`octet_length(content)`.as("bytes");

const selectChildSizes = compileForWorkspace(
  (scope, parentId: string, firstPosition: string, limit: number) =>
    selectFrom(scope, "blocks")
      .select(["id", CONTENT_BYTES])
      .where("parent_id", "=", parentId)
      .where("in_trash", "=", NOT_IN_TRASH)
      .where("position", ">=", firstPosition)
      .orderBy("position")
      .limit(limit),
);

/** Selects blocks outside of the trash by a JSON array of ids. */
const selectBlocks = compileForWorkspace((scope, ids: string) =>
  selectFromBlocksById(scope, ids)
    .select(COLUMNS)
    .select(buildHasChildren)
    // A block can move to the trash after its id was read.
    .where("in_trash", "=", NOT_IN_TRASH),
);

const selectSyncedContents = compileForWorkspace((scope, ids: string) =>
  selectFromBlocksById(scope, ids).select([
    "id",
    sql<string | null>`case when type = 'synced_block' then content end`.as("content"),
  ]),
);

function selectFromBlocksById(
  scope: StorageScope,
  ids: string,
): SelectQueryBuilder<Tables, "blocks", object> {
  const { db, workspaceId } = scope;
  if (!isPostgres(db)) return selectFrom(scope, "blocks").where(buildHasIdInJson(ids));
  // A lateral subquery, because PostgreSQL without statistics reads all blocks of the workspace for a condition on the id.
  const found = sql<Tables["blocks"]>`(
    select block.* from json_array_elements_text(cast(${ids} as json)) as list (id)
    cross join lateral (
      select * from blocks where workspace_id = ${workspaceId} and id = list.id offset 0
    ) as block)`;
  return db.selectFrom(found.as("blocks"));
}

const selectOneChild = compileForWorkspace((scope, parentId: string) =>
  selectFrom(scope, "blocks")
    .select("id")
    .where("parent_id", "=", parentId)
    .where("in_trash", "=", NOT_IN_TRASH)
    .limit(1),
);

const insertRows = compileInsert("blocks", [...COLUMNS, "workspace_id", "version", "position"]);

/** Builds the column `has_children`: 1 when a block has children outside of the trash, otherwise 0. */
function buildHasChildren(eb: ExpressionBuilder<Tables, "blocks">) {
  const child = eb
    .selectFrom("blocks as c")
    .select(sql`1`.as("one"))
    .whereRef("c.workspace_id", "=", "blocks.workspace_id")
    .whereRef("c.parent_id", "=", "blocks.id")
    .where("c.in_trash", "=", NOT_IN_TRASH);
  return sql<number>`case when exists ${child} then 1 else 0 end`.as("has_children");
}

/** Reads a block. A page or database inside a page has a block with its id too, whose content lacks the title. */
export async function findBlock(scope: StorageScope, blockId: string): Promise<FoundBlock | undefined> {
  const [row] = await selectBlock(scope, blockId);
  return row && toBlock(row);
}

/** Reads the ids and sizes of at most `limit` children outside of the trash, from `firstId` on; undefined if it is no child. */
export async function findChildSizes(
  scope: StorageScope,
  parentId: string,
  firstId: string | undefined,
  limit: number,
): Promise<SizedRow[] | undefined> {
  const firstPosition =
    firstId === undefined ? BEFORE_FIRST_ID : await findPosition(scope, parentId, firstId);
  if (firstPosition === undefined) return undefined;
  return selectChildSizes(scope, parentId, firstPosition, limit);
}

/** Reads blocks outside of the trash by their ids, in any order. Unknown ids are skipped. Runs no SELECT for an empty list. */
export async function findBlocks(scope: StorageScope, ids: readonly string[]): Promise<FoundBlock[]> {
  return ids.length === 0 ? [] : (await selectBlocks(scope, JSON.stringify(ids))).map(toBlock);
}

/** Reads the contents of synced blocks by id, also in the trash; null for blocks of other types. Unknown ids are skipped. */
export async function findSyncedContents(
  scope: StorageScope,
  ids: readonly string[],
): Promise<Map<string, BlockContent | null>> {
  const rows = ids.length === 0 ? [] : await selectSyncedContents(scope, JSON.stringify(ids));
  return new Map(rows.map(({ id, content }) => [id, content === null ? null : JSON.parse(content)]));
}

/**
 * Reads the children of several parents outside of the trash, by parent and position, up to a limit for all of them, and the
 * bytes of their content. `truncatedParentId` is the parent of the first child beyond the limit; null when all children fit.
 */
export async function findChildrenOfParents(
  scope: StorageScope,
  parentIds: readonly string[],
  limit: RowLimit,
): Promise<{ blocks: FoundBlock[]; bytes: number; truncatedParentId: string | null }> {
  const blocks: FoundBlock[] = [];
  let bytes = 0;
  for (const ids of chunk(parentIds, MAX_IDS)) {
    const remaining = { count: limit.count - blocks.length, bytes: limit.bytes - bytes };
    const sizes = await selectFromChildrenOfParents(scope, ids, remaining.count + 1)
      .select(["parent_id", CONTENT_BYTES])
      .execute();
    const fitting = takeWithinLimit(sizes.slice(0, remaining.count), remaining.bytes, getBytes, 0);
    // Reads the first child beyond the limit again, because a block can be inserted between the two statements.
    const rows = await selectFromChildrenOfParents(scope, ids, fitting.length + 1)
      .select(COLUMNS)
      .select(buildHasChildren)
      .execute();
    blocks.push(...rows.slice(0, fitting.length).map(toBlock));
    for (const size of fitting) bytes += size.bytes;
    const firstTruncated = rows[fitting.length];
    if (firstTruncated !== undefined) return { blocks, bytes, truncatedParentId: firstTruncated.parent_id };
  }
  return { blocks, bytes, truncatedParentId: null };
}

/** Selects the first children of several parents outside of the trash, by parent and position. */
function selectFromChildrenOfParents(
  scope: StorageScope,
  parentIds: readonly string[],
  limit: number,
): SelectQueryBuilder<Tables, "blocks", object> {
  const { db, workspaceId } = scope;
  if (!isPostgres(db)) {
    return selectFrom(scope, "blocks")
      .where("parent_id", "in", parentIds)
      .where("in_trash", "=", NOT_IN_TRASH)
      .orderBy("parent_id")
      .orderBy("position")
      .limit(limit);
  }
  // For the query above, PostgreSQL reads all children of these parents, or even all blocks of the workspace. It runs a lateral
  // subquery with a limit in a nested loop, which keeps the order of the parents and of their children.
  const children = sql<Tables["blocks"]>`(
    select child.* from json_array_elements_text(cast(${JSON.stringify(parentIds)} as json)) as parent (id)
    cross join lateral (
      select * from blocks where workspace_id = ${workspaceId} and parent_id = parent.id and in_trash = ${NOT_IN_TRASH}
      order by position limit ${limit}
    ) as child limit ${limit})`;
  return db.selectFrom(children.as("blocks"));
}

/** Whether a block or page has children outside of the trash. */
export async function hasChildBlocks(scope: StorageScope, parentId: string): Promise<boolean> {
  const rows = await selectOneChild(scope, parentId);
  return rows.length > 0;
}

/** Whether a block or page has children, in or outside of the trash. */
export async function hasAnyChildBlock(scope: StorageScope, parentId: string): Promise<boolean> {
  return hasRows(selectFrom(scope, "blocks").select("id").where("parent_id", "=", parentId));
}

/** Inserts blocks, with those inside them, after the child `after`, or at the end. Returns false for an unknown child. */
export async function insertBlocks(
  scope: StorageScope,
  parentId: string,
  blocks: readonly NewBlock[],
  after: string | undefined,
): Promise<boolean> {
  const positions = await createPositions(scope, parentId, blocks.length, after);
  if (positions === undefined) return false;
  const inserted = placeBlocks(blocks, positions);
  for (const part of chunk(inserted, BLOCKS_PER_INSERT)) {
    await insertRows(
      scope.db,
      part.map(([block, position]) => toRow(scope.workspaceId, block, position)),
    );
  }
  return true;
}

/** Lists blocks, with the blocks inside them, and their positions. */
function placeBlocks(siblings: readonly NewBlock[], positions: readonly string[]): [Block, string][] {
  return zipPositions(siblings, positions).flatMap(([{ block, children }, position]) => [
    [block, position],
    ...placeBlocks(children, createFirstPositions(children.length)),
  ]);
}

/** Updates content and last edit of a block, and increments its version. */
export async function updateBlock(scope: StorageScope, block: Block): Promise<void> {
  await updateTable(scope, "blocks")
    .set({
      content: JSON.stringify(block.content),
      ...buildEditColumns({ author: block.lastEditedBy, time: block.lastEditedTime }),
      version: NEXT_VERSION,
    })
    .where("id", "=", block.id)
    .execute();
}

/** Inserts the block row of a page or database inside of a page, after all other blocks of that page. */
export async function appendToPage(
  scope: StorageScope,
  pageId: string,
  object: StoredObject,
  type: "child_page" | "child_database",
): Promise<void> {
  const block: Block = { ...object, pageId, type, content: {} };
  await insertBlocks(scope, pageId, [{ block, children: [] }], undefined);
}

type BlockRow = Omit<Tables["blocks"], "workspace_id" | "version" | "position"> & {
  readonly has_children: number;
};

function toBlock(row: BlockRow): FoundBlock {
  return {
    pageId: row.page_id,
    // Safe cast: only blocks of these types are inserted.
    type: row.type as Block["type"],
    content: JSON.parse(row.content),
    // A block in the trash can have children outside of it while a job moves them.
    hasChildren: row.has_children !== 0 && row.in_trash === 0,
    ...toObject(row),
  };
}

function toRow(workspaceId: string, block: Block, position: string): Tables["blocks"] {
  return {
    workspace_id: workspaceId,
    version: 0,
    page_id: block.pageId,
    position,
    type: block.type,
    content: JSON.stringify(block.content),
    ...toObjectRow(block),
  };
}
