import { MAX_BLOCK_LEVELS } from "../budgets.js";
import { eachAncestorId } from "../storage/trash.js";
import { type BlockLocation, type BlockNode, loadBlockTree } from "./load/block-tree.js";
import { requireBlock } from "./load/blocks.js";
import type { ReadScope } from "./scope.js";

/**
 * Finds the part of a page's blocks that shows a block. For a block in the trash, which is not shown, this is the first part.
 * Throws a DomainError (not_found).
 */
export async function findBlockLocation(scope: ReadScope, id: string): Promise<BlockLocation> {
  const { pageId, inTrash, parent } = await requireBlock(scope, id);
  const part = inTrash ? undefined : await loadBlockTree(scope, await requireBlock(scope, pageId), undefined);
  if (part === undefined || hasBlock(part.blocks, id)) return { pageId, cursor: undefined };
  // A later part begins with a block directly in the page: this block, or the one that contains it. But a block that is nested
  // too deeply to be shown there begins a part of its own.
  let topBlockId = id;
  let levels = 0;
  for await (const ancestorId of eachAncestorId(scope, parent)) {
    if (ancestorId === pageId) return { pageId, cursor: topBlockId };
    topBlockId = ancestorId;
    levels += 1;
    if (levels > MAX_BLOCK_LEVELS) break;
  }
  return { pageId, cursor: id };
}

function hasBlock(blocks: readonly BlockNode[], id: string): boolean {
  return blocks.some(({ block, children }) => block.id === id || hasBlock(children, id));
}
