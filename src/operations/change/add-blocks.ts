import { type ParsedBlock, createBlocks } from "../../domain/blocks/block.js";
import { createValidationError } from "../../domain/errors.js";
import type { StoredObject } from "../../domain/stored-object.js";
import { appendToPage, type FoundBlock, insertBlocks } from "../../storage/blocks/blocks.js";
import { recordPageEdit } from "../../storage/pages/pages.js";
import type { WriteScope } from "../execution/scope.js";

export interface BlockPosition {
  readonly parent: { readonly type: "page_id" | "block_id"; readonly id: string };
  /** The page that contains the parent, or the parent itself. */
  readonly pageId: string;
  /** Id of the child after which the blocks are inserted; undefined to append them. */
  readonly after?: string | undefined;
}

/** Adds the block of a new page or database to the page that contains it. Does nothing for an object outside of pages. */
export async function addToParentPage(
  scope: WriteScope,
  object: StoredObject,
  type: "child_page" | "child_database",
): Promise<void> {
  if (object.parent.type !== "page_id") return;
  await appendToPage(scope, object.parent.id, object, type);
  await recordPageEdit(scope, object.parent.id, scope.edit);
}

/** Adds checked blocks to a page or block, and returns the outer ones. Throws a DomainError (validation) for an unknown `after`. */
export async function addBlocks(
  scope: WriteScope,
  { parent, pageId, after }: BlockPosition,
  parsedBlocks: readonly ParsedBlock[],
): Promise<FoundBlock[]> {
  const blocks = createBlocks(parsedBlocks, parent, pageId, scope.edit);
  if (!(await insertBlocks(scope, parent.id, blocks, after))) {
    throw createValidationError(
      `The block to append after (${String(after)}) is not a child of ${parent.id}.`,
    );
  }
  await recordPageEdit(scope, pageId, scope.edit);
  return blocks.map(({ block, children }) => ({ ...block, hasChildren: children.length > 0 }));
}
