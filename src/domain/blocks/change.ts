import { DomainError } from "../errors.js";
import { archivedError, trashWanted } from "../trash.js";
import type { Block } from "./block.js";
import { changedContent, readPayload, typesIn } from "./content.js";
import type { BlockChange } from "./input.js";

/**
 * Applies an update to a block, but for its place in the trash.
 *
 * @param by The id of the user who edits it.
 * @param now Milliseconds since 1970; a block's time of last edit never goes back.
 * @returns The block as it is to be stored; `block` itself when the request changes nothing of it.
 * @throws DomainError (validation) when the request is about a block of another type, or the block is in the trash and
 *   stays there, or its content cannot be what the request says
 */
export function changeBlock<B extends Block & { readonly hasChildren: boolean }>(
  block: B,
  change: BlockChange,
  by: string,
  now: number,
): B {
  const types = typesIn(change);
  const other = [...types, ...(change.type === undefined ? [] : [change.type])].find(
    (type) => type !== block.type,
  );
  if (other !== undefined) {
    throw new DomainError("validation", `Expected block type ${block.type}, instead was ${other}.`);
  }
  if (types.length === 0) return block;
  if (block.inTrash && trashWanted(change) !== false) throw archivedError();
  const content = changedContent(block.content, readPayload(change, "body"), `body.${block.type}`);
  if (block.hasChildren && content["is_toggleable"] === false) {
    throw new DomainError("validation", "A heading with children must stay toggleable.");
  }
  return { ...block, content, lastEditedTime: Math.max(now, block.lastEditedTime), lastEditedBy: by };
}
