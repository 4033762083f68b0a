import { findIcons } from "../storage/objects/icons.js";
import { findTrashedObjects } from "../storage/trash/trash-roots.js";
import { findUserNames } from "../storage/users.js";
import { getIds } from "../lists.js";
import { findParentTitles, formatLinkTitle } from "./views/linked-titles.js";
import { type ListedObject, toListedObject } from "./views/list-objects.js";
import { type Pagination, type ListResult, readListPartByTime } from "./load/list-parts.js";
import type { ReadScope } from "./execution/scope.js";

/** A page or database that was moved to the trash by itself. Its last edit is this move. */
export interface TrashedObject extends ListedObject {
  /** Name of the user who moved it; undefined if the user was removed. */
  readonly movedBy: string | undefined;
}

/**
 * Lists the pages and databases that were moved to the trash by themselves, the last moved ones first, but not those that were
 * moved with an ancestor, because they are restored with it. Throws a DomainError (invalid_cursor).
 */
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
  const parentTitles = await findParentTitles(scope, elements);
  const icons = await findIcons(scope, getIds(elements));
  const userNames = await findUserNames(
    scope,
    elements.map(({ lastEditedBy }) => lastEditedBy),
  );
  const results = elements.map((object) => ({
    ...toListedObject({ ...object, title: formatLinkTitle(object.title) }, icons, parentTitles),
    movedBy: userNames.get(object.lastEditedBy),
  }));
  return { results, nextCursor };
}
