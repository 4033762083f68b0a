import { createNotFoundError } from "../../domain/errors.js";
import { getOriginalId } from "../../domain/blocks/block.js";
import {
  type FoundBlock,
  findBlock,
  findBlocks,
  findChildSizes,
  hasChildBlocks,
} from "../../storage/blocks/blocks.js";
import { type RowLimit, takeRowsWithinLimit } from "../../storage/row-limit.js";
import { findObject, getObjectKind, isInTrash } from "../../storage/objects/objects.js";
import { findTitledObjects, type TitledObject } from "../../storage/objects/titles.js";
import { getIds, sortByIds, takeOnly } from "../../lists.js";
import type { Scope } from "../execution/scope.js";

/*
 * Loads blocks together with data of other objects: the titles of child pages and databases, and whether the original of a
 * synced copy has children.
 */

/** Reads the kind and the parent of a page, database or block. Throws a DomainError (not_found). */
export async function requireObject(scope: Scope, id: string) {
  const object = await findObject(scope, id);
  if (object === undefined) throw createNotFoundError("block", id);
  return object;
}

/** Reads a block, or a page or database as a block. Throws a DomainError (not_found). */
export async function requireObjectAsBlock(scope: Scope, id: string): Promise<FoundBlock> {
  const block = await findBlock(scope, id);
  if (block !== undefined) return takeOnly(await completeBlocks(scope, [block]));
  const object = (await findTitledObjects(scope, { pages: [id], databases: [id] })).get(id);
  if (object === undefined) throw createNotFoundError("block", id);
  // An object in the trash shows no children. Pages and databases inside of pages have a block, so this one is its own page.
  const hasChildren = !object.inTrash && (await hasChildBlocks(scope, id));
  return { ...toBlockFields(object), pageId: id, hasChildren };
}

/** Reads children within a limit, but at least one, and the id of the next. Returns undefined when `firstId` is not a child. */
export async function findVisibleChildren(
  scope: Scope,
  parentId: string,
  firstId: string | undefined,
  limit: RowLimit,
) {
  const sizes = await findChildSizes(scope, parentId, firstId, limit.count + 1);
  if (sizes === undefined) return undefined;
  const read = takeRowsWithinLimit(sizes, limit);
  return { blocks: await loadBlocks(scope, getIds(read)), nextId: sizes[read.length]?.id };
}

/** Reads blocks in the order of their ids, see completeBlocks. Leaves out blocks in the trash and unknown ids. */
export async function loadBlocks(scope: Scope, ids: readonly string[]): Promise<FoundBlock[]> {
  return completeBlocks(scope, sortByIds(await findBlocks(scope, ids), ids));
}

/** Adds the titles of child pages and databases, and sets `hasChildren` of synced copies as for their originals. */
export async function completeBlocks(scope: Scope, blocks: readonly FoundBlock[]): Promise<FoundBlock[]> {
  const titles = await findTitledObjects(scope, {
    pages: selectIds(blocks, "child_page"),
    databases: selectIds(blocks, "child_database"),
  });
  const originalIds = new Set(blocks.flatMap((block) => getOriginalId(block) ?? []));
  const originals = await findBlocks(scope, [...originalIds]);
  const originalsWithChildren = new Set(getIds(originals.filter(({ hasChildren }) => hasChildren)));
  return blocks.map((block) => {
    const originalId = getOriginalId(block);
    if (originalId !== undefined) return { ...block, hasChildren: originalsWithChildren.has(originalId) };
    const object = titles.get(block.id);
    return object === undefined ? block : { ...block, ...toBlockFields(object) };
  });
}

/** Whether the response body of a block depends only on the block itself. */
export function isSelfContainedBlock(block: FoundBlock): boolean {
  return getObjectKind(block.type) === "block" && getOriginalId(block) === undefined;
}

/** Returns the id of the page that contains the children of a block. */
export function getPageIdOfChildren(block: FoundBlock): string {
  return block.type === "child_page" ? block.id : block.pageId;
}

/** Whether the page of a block is in the trash. A job may still have to move the blocks in it there. */
export function isPageInTrash(scope: Scope, block: FoundBlock): Promise<boolean> {
  return isInTrash(scope, { type: "page_id", id: getPageIdOfChildren(block) });
}

/** Returns the id of the block whose children a block shows: for a synced copy its original, otherwise the block itself. */
export function getChildrenSourceId(block: FoundBlock): string {
  return getOriginalId(block) ?? block.id;
}

function selectIds(blocks: readonly FoundBlock[], type: FoundBlock["type"]): string[] {
  return getIds(blocks.filter((block) => block.type === type));
}

function toBlockFields({ kind, title, ...object }: TitledObject) {
  const type = kind === "page" ? ("child_page" as const) : ("child_database" as const);
  return { ...object, type, content: { title } };
}
