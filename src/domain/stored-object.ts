import type { Schemas } from "./api-schemas.js";
import { type DomainError, createValidationError } from "./errors.js";

/** The object that directly contains a page, database or block. */
export type Parent =
  | { readonly type: "workspace" }
  | { readonly type: "database_id" | "page_id" | "block_id"; readonly id: string };

/** The fields that pages, databases and blocks have in common. Times are milliseconds since 1970. */
export interface StoredObject {
  readonly id: string;
  readonly parent: Parent;
  readonly createdTime: number;
  readonly lastEditedTime: number;
  /** User id of the author. An API key acts as its bot user, whose id is that of the key. */
  readonly createdBy: string;
  readonly lastEditedBy: string;
  readonly inTrash: boolean;
  /** Id of the object with which this one was moved to the trash: itself or an ancestor. Null outside of the trash. */
  readonly trashRoot: string | null;
}

/** The author and the time of a change, as objects record them. */
export interface Edit {
  /** User id of the author. */
  readonly author: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Creates the fields of a new object that all kinds of objects have. */
export function createStoredObject(id: string, parent: Parent, { author, time }: Edit): StoredObject {
  return {
    id,
    parent,
    createdTime: time,
    lastEditedTime: time,
    createdBy: author,
    lastEditedBy: author,
    inTrash: false,
    trashRoot: null,
  };
}

/** Returns the fields that an edit sets. The time of the last edit never decreases, even if the clock was set back. */
export function createEditFields(
  object: StoredObject,
  { author, time }: Edit,
): Pick<StoredObject, "lastEditedTime" | "lastEditedBy"> {
  return { lastEditedTime: Math.max(time, object.lastEditedTime), lastEditedBy: author };
}

/** The fields of an update that move an object to the trash. `archived` is the older name of `in_trash`. */
type TrashFields = Pick<Schemas["UpdatePageBody"], "archived" | "in_trash">;

/** Parses whether an update moves its object to the trash (true) or restores it (false). Throws a DomainError (validation). */
export function parseTrashState({ archived, in_trash: inTrash }: TrashFields): boolean | undefined {
  if (archived !== undefined && inTrash !== undefined && archived !== inTrash) {
    throw createValidationError("archived and in_trash must be equal when both are given.");
  }
  return inTrash ?? archived;
}

/** Creates the error for a change of an object in the trash, with the message of Notion's API. */
export function createInTrashError(): DomainError {
  return createValidationError(
    "Can't edit block that is archived. You must unarchive the block before editing.",
  );
}

/** Creates the error for restoring an object whose parent is in the trash. */
export function createAncestorInTrashError(): DomainError {
  return createValidationError(
    "Can't edit page on block with an archived ancestor. You must unarchive the ancestor before editing page.",
  );
}
