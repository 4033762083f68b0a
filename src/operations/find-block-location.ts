import { eachAncestorId } from "../storage/trash.js";
import { type BlockNode, loadBlockTree, MAX_LEVELS } from "./load/block-tree.js";
import { requireBlock } from "./load/blocks.js";
import type { ReadScope } from "./scope.js";

/** The page that shows a block, and the part of the page. */
export interface BlockLocation {
  readonly pageId: string;
  /** Cursor of a part of the page with the block; undefined when the first part has it, or no part shows it. */
  readonly cursor: string | undefined;
}

/**
 * Finds out which part of a page shows a block.
 *
 * @throws DomainError (not_found)
 */
export async function findBlockLocation(scope: ReadScope, id: string): Promise<BlockLocation> {
  const { pageId, inTrash, parent } = await requireBlock(scope, id);
  const part = inTrash ? undefined : await loadBlockTree(scope, await requireBlock(scope, pageId), undefined);
  if (part === undefined || hasBlock(part.blocks, id)) return { pageId, cursor: undefined };
  // A part begins with a block directly in the page: the block itself, or the one that contains it.
  let topBlockId = id;
  let levels = 0;
  for await (const ancestorId of eachAncestorId(scope, parent)) {
    if (ancestorId === pageId) return { pageId, cursor: topBlockId };
    topBlockId = ancestorId;
    levels += 1;
    if (levels > MAX_LEVELS) break;
  }
  return { pageId, cursor: undefined };
}

function hasBlock(blocks: readonly BlockNode[], id: string): boolean {
  return blocks.some(({ block, children }) => block.id === id || hasBlock(children, id));
}
