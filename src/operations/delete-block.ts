import { normalizeId } from "../domain/ids.js";
import { getObjectKind } from "../storage/objects/objects.js";
import { setInTrash } from "./change/trash.js";
import { requireObjectAsBlock } from "./load/blocks.js";
import { type BlockBody, presentBlock } from "./present/block.js";
import type { WriteScope } from "./execution/scope.js";
import { createInTrashError } from "../domain/stored-object.js";

/** Moves an object to the trash. Throws a DomainError: (not_found), (validation) if it is in the trash already, or (conflict). */
export async function deleteBlock(scope: WriteScope, blockId: string): Promise<BlockBody> {
  const block = await requireObjectAsBlock(scope, normalizeId(blockId));
  if (block.inTrash) throw createInTrashError();
  await setInTrash(scope, getObjectKind(block.type), block, true);
  return presentBlock(scope, await requireObjectAsBlock(scope, block.id));
}
