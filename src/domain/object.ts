/** The object that contains another one. */
export type Parent =
  | { readonly type: "workspace" }
  | { readonly type: "database_id" | "page_id" | "block_id"; readonly id: string };

/** The fields that pages, databases and blocks have in common. Times are milliseconds since 1970. */
export interface StoredObject {
  readonly id: string;
  readonly parent: Parent;
  readonly createdTime: number;
  readonly lastEditedTime: number;
  /** User id of the author; for an API key its bot user, which has the key's id. */
  readonly createdBy: string;
  readonly lastEditedBy: string;
  readonly inTrash: boolean;
  /** The object whose move to the trash included this one; null outside of the trash. */
  readonly trashRoot: string | null;
}

/** The author and the time of a change, as objects record them. */
export interface Edit {
  /** User id of the author. */
  readonly author: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Creates the common fields of a new object. */
export function newObject(id: string, parent: Parent, { author, time }: Edit): StoredObject {
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

/** Returns the fields that an edit sets. The time of the last edit never decreases, even when a clock is set back. */
export function createEditFields(
  object: StoredObject,
  { author, time }: Edit,
): Pick<StoredObject, "lastEditedTime" | "lastEditedBy"> {
  return { lastEditedTime: Math.max(time, object.lastEditedTime), lastEditedBy: author };
}
