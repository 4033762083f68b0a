import { createValidationError } from "../errors.js";
import { type Edit, createEditFields, createInTrashError, parseTrashState } from "../stored-object.js";
import type { Block, BlockChange } from "./block.js";
import { changeContent, parseTypedContent, findContentTypes } from "./content.js";

/**
 * Applies an update to the content of a block. The caller moves the block to the trash or restores it. Returns the same block
 * when the update has no content. Throws a DomainError (validation) when the update is invalid or for another type of block,
 * or when the block is in the trash and the update does not restore it.
 */
export function changeBlock<B extends Block>(block: B, change: BlockChange, edit: Edit): B {
  const types = findContentTypes(change);
  const other = [...types, ...(change.type === undefined ? [] : [change.type])].find(
    (type) => type !== block.type,
  );
  if (other !== undefined) {
    throw createValidationError(`Expected block type ${block.type}, instead was ${other}.`);
  }
  if (types.length === 0) return block;
  if (block.inTrash && parseTrashState(change) !== false) throw createInTrashError();
  const content = changeContent(block.content, parseTypedContent(change, "body"), `body.${block.type}`);
  return { ...block, content, ...createEditFields(block, edit) };
}

/** Whether a change makes a toggleable heading one that cannot have children. */
export function stopsBeingToggleable(before: Block, after: Block): boolean {
  return before.content["is_toggleable"] === true && after.content["is_toggleable"] === false;
}
