import { getObjectKind } from "../storage/objects/objects.js";
import { setInTrash } from "./change/trash.js";
import { requireObjectAsBlock } from "./load/blocks.js";
import type { WriteScope } from "./execution/scope.js";

/** Restores an object with all that was moved with it. Throws a DomainError: (not_found), and those of setInTrash. */
export async function restoreObject(scope: WriteScope, id: string): Promise<void> {
  const block = await requireObjectAsBlock(scope, id);
  await setInTrash(scope, getObjectKind(block.type), block, false);
}
