import { normalizeId } from "../domain/ids.js";
import { requireObjectAsBlock } from "./load/blocks.js";
import { type BlockBody, presentBlock } from "./present/block.js";
import type { ReadScope } from "./execution/scope.js";

/** Retrieves a block, or a page or database as a block. Throws a DomainError (not_found). */
export async function retrieveBlock(scope: ReadScope, blockId: string): Promise<BlockBody> {
  return presentBlock(scope, await requireObjectAsBlock(scope, normalizeId(blockId)));
}
