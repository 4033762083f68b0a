import { createValidationError } from "../errors.js";
import { type Edit, createEditFields, createArchivedError, readTrashState } from "../object.js";
import type { Block, BlockChange } from "./block.js";
import { changeContent, readPayload, findTypes } from "./content.js";

/**
 * Applies an update to a block, except for moving it to or from the trash. Returns the block itself when its content does
 * not change. Throws a DomainError (validation) when the update is invalid, is for another type of block, or leaves the
 * block in the trash.
 */
export function changeBlock<B extends Block & { readonly hasChildren: boolean }>(
  block: B,
  change: BlockChange,
  edit: Edit,
): B {
  const types = findTypes(change);
  const other = [...types, ...(change.type === undefined ? [] : [change.type])].find(
    (type) => type !== block.type,
  );
  if (other !== undefined) {
    throw createValidationError(`Expected block type ${block.type}, instead was ${other}.`);
  }
  if (types.length === 0) return block;
  if (block.inTrash && readTrashState(change) !== false) throw createArchivedError();
  const content = changeContent(block.content, readPayload(change, "body"), `body.${block.type}`);
  if (block.hasChildren && content["is_toggleable"] === false) {
    throw createValidationError("A heading with children must stay toggleable.");
  }
  return { ...block, content, ...createEditFields(block, edit) };
}
