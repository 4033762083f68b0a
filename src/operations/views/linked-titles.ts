import { MAX_LINK_TITLE_LENGTH } from "../../budgets.js";
import type { Schemas } from "../../domain/api-schemas.js";
import { findTitledObjects, type TitledObject } from "../../storage/titles.js";
import type { DatabaseBody } from "../present/database.js";
import type { PageBody } from "../present/page.js";
import type { Scope } from "../execution/scope.js";
import type { BlockNode } from "./block-tree.js";
import { formatTitle } from "../../domain/text.js";
import { getIds } from "../../lists.js";

/** Reads the titles of the pages and databases that properties and blocks link to, by id. */
export async function findLinkedTitles(
  scope: Scope,
  pages: readonly PageBody[],
  blocks: readonly BlockNode[] = [],
): Promise<ReadonlyMap<string, string>> {
  const pageIds = new Set(
    pages.flatMap(({ properties }) => Object.values(properties).flatMap(collectRelatedPageIds)),
  );
  const databaseIds = new Set<string>();
  collectLinkTargets(blocks, pageIds, databaseIds);
  return toLinkTitles(await findTitledObjects(scope, { pages: pageIds, databases: databaseIds }));
}

/** Returns the ids of the pages and databases that blocks show as links, with repetitions. */
export function listShownLinkIds(blocks: readonly BlockNode[]): string[] {
  return blocks.flatMap(({ block, children }) => {
    if (block.type === "child_page" || block.type === "child_database") return [block.id];
    if (block.type !== "link_to_page") return listShownLinkIds(children);
    const target = block.link_to_page;
    if (target.type === "page_id") return [target.page_id];
    return target.type === "database_id" ? [target.database_id] : [];
  });
}

/** Reads the titles of the parents of pages and databases, by id. */
export async function findParentTitles(
  scope: Scope,
  objects: readonly (PageBody | DatabaseBody)[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(objects.flatMap((object) => getParentId(object) ?? []));
  return toLinkTitles(await findTitledObjects(scope, { pages: ids, databases: ids }));
}

/** Returns the id of the page or database that directly contains an object; undefined for other parents. */
export function getParentId({ parent }: PageBody | DatabaseBody): string | undefined {
  if (parent.type === "page_id") return parent.page_id;
  return parent.type === "database_id" ? parent.database_id : undefined;
}

/** Shortens titles for links to their objects, by id. */
export function toLinkTitles(titles: ReadonlyMap<string, TitledObject>): ReadonlyMap<string, string> {
  return new Map([...titles].map(([id, { title }]) => [id, formatLinkTitle(title)]));
}

export function formatLinkTitle(title: string): string {
  return formatTitle(title, MAX_LINK_TITLE_LENGTH);
}

function collectRelatedPageIds(value: Schemas["PropertyValue"] | Schemas["RollupElement"]): string[] {
  if (value.type === "relation") return getIds(value.relation);
  return value.type === "rollup" && value.rollup.type === "array"
    ? value.rollup.array.flatMap(collectRelatedPageIds)
    : [];
}

function collectLinkTargets(
  blocks: readonly BlockNode[],
  pageIds: Set<string>,
  databaseIds: Set<string>,
): void {
  for (const { block, children } of blocks) {
    if (block.type === "link_to_page") {
      const target = block.link_to_page;
      if (target.type === "page_id") pageIds.add(target.page_id);
      else if (target.type === "database_id") databaseIds.add(target.database_id);
    }
    collectLinkTargets(children, pageIds, databaseIds);
  }
}
