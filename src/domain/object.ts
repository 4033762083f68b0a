/** What an object is in. */
export type Parent =
  | { readonly type: "workspace" }
  | { readonly type: "database_id" | "page_id" | "block_id"; readonly id: string };

/** What pages, databases and blocks have in common. Times are milliseconds since 1970. */
export interface StoredObject {
  readonly id: string;
  readonly parent: Parent;
  readonly createdTime: number;
  readonly lastEditedTime: number;
  /** The id of the user who did it; for an API key its bot user, which has the key's id. */
  readonly createdBy: string;
  readonly lastEditedBy: string;
  readonly inTrash: boolean;
  /** While it is in the trash: the id of the object that was put there, and took this one along. */
  readonly trashRoot: string | null;
}

/** What a new object begins with. */
export function newObject(id: string, parent: Parent, by: string, now: number): StoredObject {
  return {
    id,
    parent,
    createdTime: now,
    lastEditedTime: now,
    createdBy: by,
    lastEditedBy: by,
    inTrash: false,
    trashRoot: null,
  };
}
