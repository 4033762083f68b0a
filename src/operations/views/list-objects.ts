import { MAX_SHOWN_TITLE_LENGTH } from "../../budgets.js";
import type { Icon } from "../../domain/icon.js";
import { formatTitle } from "../../domain/text.js";
import { getIds, sortByIds } from "../../lists.js";
import { findIcons } from "../../storage/objects/icons.js";
import { findTitledObjects, groupIdsByKind, type TitledObject } from "../../storage/objects/titles.js";
import type { ReadScope } from "../execution/scope.js";
import { findByTitle, type TitleSearch } from "../load/find-by-title.js";
import type { ListResult, Pagination } from "../load/list-parts.js";
import { findParentTitles } from "./linked-titles.js";

/** A page or database in a list of links. */
export interface ListedObject extends TitledObject {
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
  const found = await findTitledObjects(scope, groupIdsByKind(elements), MAX_SHOWN_TITLE_LENGTH);
  const objects = sortByIds([...found.values()], getIds(elements));
  const formatShownTitle = (title: string) => formatTitle(title, MAX_SHOWN_TITLE_LENGTH);
  return { results: await toListedObjects(scope, objects, formatShownTitle), nextCursor };
}

/** Adds icons and the titles of parents to objects, in their order. */
export async function toListedObjects(
  scope: ReadScope,
  objects: readonly TitledObject[],
  formatObjectTitle: (title: string) => string,
): Promise<ListedObject[]> {
  const parentTitles = await findParentTitles(scope, objects);
  const icons = await findIcons(scope, getIds(objects));
  return objects.map((object) => ({
    ...object,
    title: formatObjectTitle(object.title),
    icon: icons.get(object.id) ?? null,
    parentTitle: "id" in object.parent ? parentTitles.get(object.parent.id) : undefined,
  }));
}
