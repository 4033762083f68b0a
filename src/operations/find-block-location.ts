import { findContainerIds } from "../storage/trash.js";
import { type BlockTree, loadBlockTree } from "./load/block-tree.js";
import { requireBlock } from "./load/blocks.js";
import type { ReadScope } from "./scope.js";

/** The page that shows a block, and the part of the page. */
export interface BlockLocation {
  readonly pageId: string;
  /** Cursor of a part of the page with the block; undefined when the first part has it, and for a block in the trash. */
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
  const containerIds = [id, ...(await findContainerIds(scope.db, scope.workspaceId, parent))];
  return { pageId, cursor: containerIds[containerIds.indexOf(pageId) - 1] };
}

function hasBlock(blocks: readonly BlockTree[], id: string): boolean {
  return blocks.some(({ block, children }) => block.id === id || hasBlock(children, id));
}
