import { createValidationError } from "../errors.js";
import { type Edit, createEditFields, createArchivedError, parseTrashState } from "../stored-object.js";
import type { Block, BlockChange } from "./block.js";
import { changeContent, parsePayload, findContentTypes } from "./content.js";

/**
 * Applies an update to the content of a block. The caller moves the block to the trash or restores it. Returns the same block
 * when the update has no content. Throws a DomainError (validation) when the update is invalid or for another type of block,
 * or when the block is in the trash and the update does not restore it.
 */
export function changeBlock<B extends Block & { readonly hasChildren: boolean }>(
  block: B,
  change: BlockChange,
  edit: Edit,
): B {
  const types = findContentTypes(change);
  const other = [...types, ...(change.type === undefined ? [] : [change.type])].find(
    (type) => type !== block.type,
  );
  if (other !== undefined) {
    throw createValidationError(`Expected block type ${block.type}, instead was ${other}.`);
  }
  if (types.length === 0) return block;
  if (block.inTrash && parseTrashState(change) !== false) throw createArchivedError();
  const content = changeContent(block.content, parsePayload(change, "body"), `body.${block.type}`);
  if (block.hasChildren && content["is_toggleable"] === false) {
    throw createValidationError("A heading with children must stay toggleable.");
  }
  return { ...block, content, ...createEditFields(block, edit) };
}
