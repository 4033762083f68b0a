import { DomainError } from "./errors.js";

/** What an update says about the trash. `archived` is the older name of `in_trash`. */
export interface TrashChange {
  readonly archived?: boolean | undefined;
  readonly in_trash?: boolean | undefined;
}

/**
 * Whether an update wants its object in the trash.
 *
 * @returns undefined where it does not say
 * @throws DomainError (validation) when it contradicts itself
 */
export function trashWanted({ archived, in_trash: inTrash }: TrashChange): boolean | undefined {
  if (archived !== undefined && inTrash !== undefined && archived !== inTrash) {
    throw new DomainError("validation", "archived and in_trash must be equal when both are given.");
  }
  return inTrash ?? archived;
}

/** The error for a change of something that is in the trash, or of what is in it. */
export function archivedError(): DomainError {
  return new DomainError(
    "validation",
    "Can't edit block that is archived. You must unarchive the block before editing.",
  );
}

/** The error for bringing something back that is in something that is in the trash. */
export function archivedAncestorError(): DomainError {
  return new DomainError(
    "validation",
    "Can't edit page on block with an archived ancestor. You must unarchive the ancestor before editing page.",
  );
}
