import { parseBlocks } from "../domain/blocks/nesting.js";
import { normalizeId } from "../domain/ids.js";
import { addBlocks } from "./change/add-blocks.js";
import { checkReferences } from "./check/references.js";
import type { ListResult } from "./load/list-parts.js";
import { completeBlocks, getPageIdOfChildren, isPageInTrash, requireObjectAsBlock } from "./load/blocks.js";
import { type BlockBody, presentBlocks } from "./present/block.js";
import type { WriteScope } from "./execution/scope.js";
import type { BlockInput } from "../domain/blocks/block.js";
import { createInTrashError } from "../domain/stored-object.js";

/** Adds blocks to a page or block, and returns the outer ones. Throws a DomainError if the parent cannot have them. */
export async function appendBlockChildren(
  scope: WriteScope,
  blockId: string,
  input: { readonly children: readonly BlockInput[]; readonly after?: string | undefined },
): Promise<ListResult<BlockBody>> {
  const block = await requireObjectAsBlock(scope, normalizeId(blockId));
  if (block.inTrash || (await isPageInTrash(scope, block))) throw createInTrashError();
  const parsedBlocks = parseBlocks(input.children, block);
  await checkReferences(scope, { blocks: parsedBlocks });

  const position = {
    parent: { type: block.type === "child_page" ? "page_id" : "block_id", id: block.id },
    pageId: getPageIdOfChildren(block),
    after: input.after === undefined ? undefined : normalizeId(input.after),
  } as const;
  const addedBlocks = await addBlocks(scope, position, parsedBlocks);
  return {
    results: await presentBlocks(scope, await completeBlocks(scope, addedBlocks)),
    nextCursor: null,
  };
}
