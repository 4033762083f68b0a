import { sql } from "kysely";
import type { Edit, Parent, StoredObject } from "../../domain/stored-object.js";
import type { ObjectColumns } from "../tables.js";

/** A row with the columns in OBJECT_COLUMNS. */
export type ObjectRow = Omit<ObjectColumns, "workspace_id" | "version">;

/** Columns that pages, databases and blocks have in common, except for workspace_id and version. */
export const OBJECT_COLUMNS = [
  "id",
  "parent_type",
  "parent_id",
  "created_time",
  "last_edited_time",
  "created_by",
  "last_edited_by",
  "in_trash",
  "trash_root",
] as const satisfies readonly (keyof ObjectRow)[];

/** Maps the common columns of a row to a stored object. Spread it after other fields, see DECISIONS.md. */
export function toObject(row: ObjectRow): StoredObject {
  return {
    id: row.id,
    parent: toParent(row),
    createdTime: row.created_time,
    lastEditedTime: row.last_edited_time,
    createdBy: row.created_by,
    lastEditedBy: row.last_edited_by,
    inTrash: row.in_trash !== 0,
    trashRoot: row.trash_root,
  };
}

/** Maps an object to its common columns. Spread them after other fields, see DECISIONS.md. */
export function toObjectRow(object: StoredObject): ObjectRow {
  const { parent } = object;
  return {
    id: object.id,
    parent_type: parent.type,
    parent_id: parent.type === "workspace" ? null : parent.id,
    created_time: object.createdTime,
    last_edited_time: object.lastEditedTime,
    created_by: object.createdBy,
    last_edited_by: object.lastEditedBy,
    in_trash: object.inTrash ? 1 : 0,
    trash_root: object.trashRoot,
  };
}

/** Maps the columns of a row to the parent of its object. */
export function toParent({
  parent_type: type,
  parent_id: id,
}: Pick<ObjectRow, "parent_type" | "parent_id">): Parent {
  if (type === "workspace") return { type };
  if (id === null) throw new Error(`the parent of the type ${type} has no id`);
  return { type, id };
}

/** The version after a change. */
export const NEXT_VERSION = sql<number>`version + 1`;

/** Builds the columns that an edit changes. The time of the last edit never decreases, even if the clock was set back. */
export function buildEditColumns({ author, time }: Edit) {
  const latest = sql<number>`case when last_edited_time < ${time} then ${time} else last_edited_time end`;
  return { last_edited_time: latest, last_edited_by: author };
}
