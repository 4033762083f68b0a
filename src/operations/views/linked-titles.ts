import { MAX_LINK_TITLE_LENGTH } from "../../budgets.js";
import type { Schemas } from "../../domain/api-schemas.js";
import type { Parent, StoredObject } from "../../domain/stored-object.js";
import { findTitledObjects, groupIdsByKind, type TitledObject } from "../../storage/objects/titles.js";
import type { BlockBody } from "../present/block.js";
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
  const targetIds = groupIdsByKind(listBlocks(blocks).flatMap((block) => getLinkTarget(block) ?? []));
  const relatedIds = pages.flatMap(({ properties }) =>
    Object.values(properties).flatMap(collectRelatedPageIds),
  );
  return findLinkTitles(scope, {
    pages: new Set([...relatedIds, ...targetIds.pages]),
    databases: new Set(targetIds.databases),
  });
}

/** Returns the ids of the pages and databases that blocks show as links, with repetitions. */
export function listShownLinkIds(blocks: readonly BlockNode[]): string[] {
  return listBlocks(blocks).flatMap((block) =>
    block.type === "child_page" || block.type === "child_database"
      ? block.id
      : (getLinkTarget(block)?.id ?? []),
  );
}

function listBlocks(nodes: readonly BlockNode[]): BlockBody[] {
  return nodes.flatMap(({ block, children }) => [block, ...listBlocks(children)]);
}

/** A page or database that a block links to. */
export type LinkTarget = Pick<TitledObject, "kind" | "id">;

/** Returns the page or database that a block of the type `link_to_page` links to; undefined for comments and other blocks. */
export function getLinkTarget(block: BlockBody): LinkTarget | undefined {
  if (block.type !== "link_to_page") return undefined;
  const target = block.link_to_page;
  if (target.type === "page_id") return { kind: "page", id: target.page_id };
  return target.type === "database_id" ? { kind: "database", id: target.database_id } : undefined;
}

/** Reads the titles of the pages and databases that contain objects, by id. Those of blocks have none. */
export function findParentTitles(
  scope: Scope,
  objects: readonly Pick<StoredObject, "parent">[],
): Promise<ReadonlyMap<string, string>> {
  const listIds = (type: Parent["type"]): Set<string> =>
    new Set(objects.flatMap(({ parent }) => ("id" in parent && parent.type === type ? parent.id : [])));
  return findLinkTitles(scope, { pages: listIds("page_id"), databases: listIds("database_id") });
}

async function findLinkTitles(
  scope: Scope,
  ids: { readonly pages: Iterable<string>; readonly databases: Iterable<string> },
): Promise<ReadonlyMap<string, string>> {
  const objects = await findTitledObjects(scope, ids, MAX_LINK_TITLE_LENGTH);
  return new Map([...objects].map(([id, { title }]) => [id, formatLinkTitle(title)]));
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
