import type { components } from "../../generated/types.js";
import { type DomainError, createValidationError } from "./errors.js";

/** The fields of an update that move an object to the trash. `archived` is the older name of `in_trash`. */
type TrashChange = Pick<components["schemas"]["UpdatePageBody"], "archived" | "in_trash">;

/**
 * Reads whether an update moves its object to the trash (true), restores it (false) or does neither (undefined). Throws a
 * DomainError (validation) when the two fields contradict each other.
 */
export function readTrashState({ archived, in_trash: inTrash }: TrashChange): boolean | undefined {
  if (archived !== undefined && inTrash !== undefined && archived !== inTrash) {
    throw createValidationError("archived and in_trash must be equal when both are given.");
  }
  return inTrash ?? archived;
}

/** Creates the error for a change of an object in the trash, with the message of Notion's API. */
export function createArchivedError(): DomainError {
  return createValidationError(
    "Can't edit block that is archived. You must unarchive the block before editing.",
  );
}

/** Creates the error for restoring an object whose parent is in the trash. */
export function createArchivedAncestorError(): DomainError {
  return createValidationError(
    "Can't edit page on block with an archived ancestor. You must unarchive the ancestor before editing page.",
  );
}
