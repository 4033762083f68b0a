import { getObjectKind } from "../storage/objects.js";
import { setInTrash } from "./change/trash.js";
import { requireObjectAsBlock } from "./load/blocks.js";
import type { WriteScope } from "./scope.js";

/**
 * Restores a page, database or block from the trash, with everything inside it that was moved there together with it. Throws a
 * DomainError: (not_found) when it does not exist or a job is deleting it, or (validation) when its parent is in the trash.
 */
export async function restoreObject(scope: WriteScope, id: string): Promise<void> {
  const block = await requireObjectAsBlock(scope, id);
  await setInTrash(scope, getObjectKind(block.type), block, false);
}
