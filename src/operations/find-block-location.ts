import { MAX_BLOCK_LEVELS } from "../budgets.js";
import { eachAncestorId } from "../storage/objects.js";
import { type BlockLocation, type BlockNode, loadBlockTree } from "./load/block-tree.js";
import { requireBlock } from "./load/blocks.js";
import type { ReadScope } from "./scope.js";

/** Finds the part of a page's blocks that shows a block: the first one if it is in the trash. Throws a DomainError (not_found). */
export async function findBlockLocation(scope: ReadScope, id: string): Promise<BlockLocation> {
  const { pageId, inTrash, parent } = await requireBlock(scope, id);
  const page = await requireBlock(scope, pageId);
  const isShown = async (cursor: string | undefined): Promise<boolean> => {
    const part = await loadBlockTree(scope, page, cursor);
    return part !== undefined && hasBlock(part.blocks, id);
  };
  if (inTrash || (await isShown(undefined))) return { pageId, cursor: undefined };
  let topBlockId = id;
  let levels = 0;
  for await (const ancestorId of eachAncestorId(scope, parent)) {
    if (ancestorId === pageId || levels > MAX_BLOCK_LEVELS) break;
    topBlockId = ancestorId;
    levels += 1;
  }
  // A block that is nested too deeply, or after too many others, begins a part of its own.
  return { pageId, cursor: (await isShown(topBlockId)) ? topBlockId : id };
}

function hasBlock(blocks: readonly BlockNode[], id: string): boolean {
  return blocks.some(({ block, children }) => block.id === id || hasBlock(children, id));
}
