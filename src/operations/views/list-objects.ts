import { MAX_SHOWN_TITLE_LENGTH } from "../../budgets.js";
import type { Icon } from "../../domain/icon.js";
import { formatTitle } from "../../domain/text.js";
import { getIds } from "../../lists.js";
import { findIcons } from "../../storage/objects/icons.js";
import { findTitledObjects, groupIdsByKind, type TitledObject } from "../../storage/objects/titles.js";
import type { ReadScope } from "../execution/scope.js";
import { findByTitle, type TitleSearch } from "../load/find-by-title.js";
import type { ListResult, Pagination } from "../load/list-parts.js";
import { findParentTitles } from "./linked-titles.js";

/** A page or database in a list of links. */
export interface ListedObject extends Pick<TitledObject, "id" | "kind" | "title" | "lastEditedTime"> {
  readonly icon: Icon | null;
  /** Title of the page or database that contains it; undefined if it is in the workspace itself or in a block. */
  readonly parentTitle: string | undefined;
}

/** Lists pages and databases by words of their titles, the last edited ones first. Throws a DomainError (invalid_cursor). */
export async function listObjects(
  scope: ReadScope,
  search: Pick<TitleSearch, "query" | "filter">,
  pagination: Pagination,
): Promise<ListResult<ListedObject>> {
  const { elements, nextCursor } = await findByTitle(scope, search, pagination);
  const objects = await findTitledObjects(scope, groupIdsByKind(elements), MAX_SHOWN_TITLE_LENGTH);
  const parentTitles = await findParentTitles(scope, [...objects.values()]);
  const icons = await findIcons(scope, getIds(elements));
  const results = elements.flatMap(({ id }): ListedObject[] => {
    const object = objects.get(id);
    // An object can be deleted in the meantime.
    if (object === undefined) return [];
    const title = formatTitle(object.title.trim(), MAX_SHOWN_TITLE_LENGTH);
    return [toListedObject({ ...object, title }, icons, parentTitles)];
  });
  return { results, nextCursor };
}

/** Returns the fields of an object that a list shows. Its title must be formatted already. */
export function toListedObject(
  { id, kind, title, parent, lastEditedTime }: TitledObject,
  icons: ReadonlyMap<string, Icon>,
  parentTitles: ReadonlyMap<string, string>,
): ListedObject {
  const icon = icons.get(id) ?? null;
  const parentTitle = "id" in parent ? parentTitles.get(parent.id) : undefined;
  return { id, kind, title, icon, lastEditedTime, parentTitle };
}
