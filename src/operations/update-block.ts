import { changeBlock, stopsBeingToggleable } from "../domain/blocks/change.js";
import { checkCellCount } from "../domain/blocks/nesting.js";
import { createValidationError } from "../domain/errors.js";
import { normalizeId } from "../domain/ids.js";
import {
  type FoundBlock,
  findBlock,
  hasAnyChildBlock,
  updateBlock as storeBlock,
} from "../storage/blocks/blocks.js";
import { recordPageEdit } from "../storage/pages/pages.js";
import { getObjectKind } from "../storage/objects/objects.js";
import { setInTrash } from "./change/trash.js";
import { checkReferences } from "./check/references.js";
import { isPageInTrash, requireObjectAsBlock } from "./load/blocks.js";
import { type BlockBody, presentBlock } from "./present/block.js";
import type { Scope, WriteScope } from "./execution/scope.js";
import type { Block, BlockChange, BlockContent } from "../domain/blocks/block.js";
import { createInTrashError, parseTrashState } from "../domain/stored-object.js";

/** Updates the content of a block, moves it to the trash or restores it. Throws a DomainError: (not_found), or (validation). */
export async function updateBlock(
  scope: WriteScope,
  blockId: string,
  input: BlockChange,
): Promise<BlockBody> {
  const { edit } = scope;
  const block = await requireObjectAsBlock(scope, normalizeId(blockId));
  const changed = changeBlock(block, input, edit);
  if (changed !== block) await checkChange(scope, block, changed);
  const inTrash = parseTrashState(input);
  if (inTrash !== undefined) await setInTrash(scope, getObjectKind(block.type), block, inTrash);
  if (changed !== block) {
    await storeBlock(scope, changed);
    await recordPageEdit(scope, block.pageId, edit);
  }
  return presentBlock(scope, await requireObjectAsBlock(scope, block.id));
}

async function checkChange(scope: Scope, block: FoundBlock, changed: FoundBlock): Promise<void> {
  // The move checks the parent of a block that is restored.
  if (!block.inTrash && (await isPageInTrash(scope, block))) throw createInTrashError();
  await checkReferences(scope, {
    blocks: [{ type: changed.type, content: findNewContent(block, changed) }],
  });
  if (stopsBeingToggleable(block, changed) && (await hasAnyChildBlock(scope, block.id))) {
    throw createValidationError("A heading with children must stay toggleable.");
  }
  if (changed.type === "table_row") checkCellCount(changed.content, await requireParent(scope, block));
}

/** Returns the changed fields of a block. The other fields can refer to objects that have been deleted since. */
function findNewContent(before: Block, after: Block): BlockContent {
  const entries = Object.entries(after.content);
  return Object.fromEntries(entries.filter(([field, value]) => value !== before.content[field]));
}

async function requireParent(scope: Scope, { id, parent }: FoundBlock): Promise<FoundBlock> {
  const found = parent.type === "block_id" ? await findBlock(scope, parent.id) : undefined;
  if (found === undefined) throw new Error(`the table row ${id} is in no table`);
  return found;
}
