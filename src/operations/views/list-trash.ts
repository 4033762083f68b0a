import { findTrashedObjects } from "../../storage/trash/trash-roots.js";
import { findUserNames } from "../../storage/users.js";
import type { ReadScope } from "../execution/scope.js";
import { type ListResult, type Pagination, readListPartByTime } from "../load/list-parts.js";
import { formatLinkTitle } from "./linked-titles.js";
import { type ListedObject, toListedObjects } from "./list-objects.js";

/** A page or database that was moved to the trash by itself. Its last edit is this move. */
export interface TrashedObject extends ListedObject {
  /** Name of the user who moved it; undefined if the user was removed. */
  readonly movedBy: string | undefined;
}

/** Lists the objects that were moved to the trash by themselves, the last ones first. Throws a DomainError (invalid_cursor). */
export async function listTrash(
  scope: ReadScope,
  pagination: Pagination,
): Promise<ListResult<TrashedObject>> {
  const { elements, nextCursor } = await readListPartByTime(
    "trash",
    pagination,
    (after, limit) => findTrashedObjects(scope.scanScope, after, limit),
    ({ lastEditedTime }) => lastEditedTime,
  );
  const objects = await toListedObjects(scope, elements, formatLinkTitle);
  const userIds = objects.map(({ lastEditedBy }) => lastEditedBy);
  const userNames = await findUserNames(scope, userIds);
  const results = objects.map((object) => ({ ...object, movedBy: userNames.get(object.lastEditedBy) }));
  return { results, nextCursor };
}
