import { MAX_BLOCK_LEVELS } from "../../budgets.js";
import { eachAncestorId } from "../../storage/objects.js";
import type { BlockLocation, BlockNode } from "./block-tree.js";
import { requireObjectAsBlock } from "../load/blocks.js";
import type { ReadScope } from "../scope.js";
import { loadPagePart } from "./page-part.js";

/**
 * Finds the part of a page's blocks in which a block is shown. For a block in the trash, this is the first part. Throws a
 * DomainError (not_found).
 */
export async function findBlockLocation(scope: ReadScope, id: string): Promise<BlockLocation> {
  const { pageId, inTrash, parent } = await requireObjectAsBlock(scope, id);
  const isInPart = async (cursor: string | undefined): Promise<boolean> => {
    const part = await loadPagePart(scope, pageId, cursor);
    return hasBlock(part.blocks, id);
  };
  if (inTrash || (await isInPart(undefined))) return { pageId, cursor: undefined };
  // The top block, or the highest ancestor from which a part can reach the block.
  let firstBlockId = id;
  let levels = 0;
  for await (const ancestorId of eachAncestorId(scope, parent)) {
    if (ancestorId === pageId || levels === MAX_BLOCK_LEVELS) break;
    firstBlockId = ancestorId;
    levels += 1;
  }
  // A block after too many others begins a part of its own.
  return { pageId, cursor: (await isInPart(firstBlockId)) ? firstBlockId : id };
}

function hasBlock(blocks: readonly BlockNode[], id: string): boolean {
  return blocks.some(({ block, children }) => block.id === id || hasBlock(children, id));
}
