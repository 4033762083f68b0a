import { requireObjectAsBlock } from "../load/blocks.js";
import type { ReadScope } from "../execution/scope.js";
import type { BlockLocation, BlockNode } from "./block-tree.js";
import { loadPagePart } from "./page-part.js";

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
