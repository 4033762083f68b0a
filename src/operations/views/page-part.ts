import { MAX_CHECKED_ANCESTORS, MAX_PAGE_PART_BYTES } from "../../budgets.js";
import { createInvalidCursorError } from "../../domain/cursor.js";
import { parseId } from "../../domain/ids.js";
import { findBlock, type FoundBlock } from "../../storage/blocks/blocks.js";
import { countListItemsBefore, findNextSiblingId } from "../../storage/blocks/sibling-blocks.js";
import { eachAncestorId } from "../../storage/objects/objects.js";
import { presentBlock } from "../present/block.js";
import type { ReadScope, Scope } from "../execution/scope.js";
import { findVisibleChildren, requireObjectAsBlock } from "../load/blocks.js";
import { type BlockLocation, type BlockNode, type BlockTreePart, loadBlockTree } from "./block-tree.js";

/**
 * Reads the part of a page that begins with a block on any level, or with its first block. Links to the next parts lead to the
 * end of the page. Throws a DomainError (invalid_cursor) when the page does not have this block.
 */
export async function loadPagePart(
  scope: Scope,
  pageId: string,
  cursor: string | undefined,
): Promise<BlockTreePart> {
  const id = cursor === undefined ? undefined : parseId(cursor);
  const first = id === undefined ? undefined : await findBlock(scope, id);
  const isNested = first?.parent.type === "block_id" && first.pageId === pageId;
  const parent = isNested ? await findBlock(scope, first.parent.id) : undefined;
  const isMalformed = cursor !== undefined && id === undefined;
  const part = isMalformed ? undefined : await loadBlockTree(scope, parent?.id ?? pageId, id);
  if (part === undefined) throw createInvalidCursorError(cursor ?? "");
  return {
    blocks:
      parent?.type === "table"
        ? [await wrapInTable(scope, parent, part.blocks)]
        : await addListNumber(scope, part.blocks),
    nextBlockId: part.nextBlockId ?? (parent ? await findFollowingBlockId(scope, parent) : null),
  };
}

async function addListNumber(scope: Scope, blocks: readonly BlockNode[]): Promise<readonly BlockNode[]> {
  const [first, ...others] = blocks;
  if (first?.block.type !== "numbered_list_item") return blocks;
  const listNumber = 1 + (await countListItemsBefore(scope, first.block.id));
  return [{ ...first, listNumber }, ...others];
}

/** Wraps rows in their table, and repeats its header, so that they are shown as a table. */
async function wrapInTable(scope: Scope, table: FoundBlock, rows: readonly BlockNode[]): Promise<BlockNode> {
  const limit = { count: 1, bytes: MAX_PAGE_PART_BYTES };
  const [first] = (await findVisibleChildren(scope, table.id, undefined, limit))?.blocks ?? [];
  const isHeader = table.content.has_column_header === true && first?.id !== rows[0]?.block.id;
  return {
    block: await presentBlock(scope, table),
    children: rows,
    headerRow: isHeader && first !== undefined ? await presentBlock(scope, first) : undefined,
    rest: undefined,
  };
}

/** Finds the block that follows a block and all blocks in it; null at the end of the page. */
async function findFollowingBlockId(
  scope: Scope,
  { id, parent, pageId }: FoundBlock,
): Promise<string | null> {
  let outerId = id;
  let levels = 0;
  for await (const ancestorId of eachAncestorId(scope, parent)) {
    const nextId = await findNextSiblingId(scope, outerId);
    if (nextId !== undefined) return nextId;
    outerId = ancestorId;
    levels += 1;
    if (ancestorId === pageId || levels === MAX_CHECKED_ANCESTORS) break;
  }
  return null;
}

/**
 * Finds a part of a page's blocks in which a block is shown: the first part, also for a block in the trash, or the one that
 * begins with the block. Throws a DomainError (not_found).
 */
export async function findBlockLocation(scope: ReadScope, id: string): Promise<BlockLocation> {
  const { pageId, inTrash } = await requireObjectAsBlock(scope, id);
  const { blocks } = await loadPagePart(scope, pageId, undefined);
  return { pageId, cursor: inTrash || hasBlock(blocks, id) ? undefined : id };
}

function hasBlock(blocks: readonly BlockNode[], id: string): boolean {
  return blocks.some(({ block, children }) => block.id === id || hasBlock(children, id));
}
