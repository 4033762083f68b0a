import { createInvalidCursorError } from "../domain/cursor.js";
import { createInvalidValueError } from "../domain/errors.js";
import { parseId, normalizeId } from "../domain/ids.js";
import { findChildSizes, type FoundBlock } from "../storage/blocks/blocks.js";
import { getBytes, type SizedRow } from "../storage/row-limit.js";
import { findPageVersions } from "../storage/pages/pages.js";
import { getIds } from "../lists.js";
import type { ListPart, Pagination } from "./load/list-parts.js";
import {
  getChildrenSourceId,
  getPageIdOfChildren,
  isSelfContainedBlock,
  loadBlocks,
  requireObjectAsBlock,
} from "./load/blocks.js";
import { type BlockBody, toBlockBody } from "./present/block.js";
import { EncodedBody, type EncodedList, joinResults, presentList } from "./present/list.js";
import { resolveMentions } from "./present/mentions.js";
import type { Versioned } from "./execution/response-cache.js";
import type { ReadScope } from "./execution/scope.js";

/** Lists children from the one with the id `cursor` on. Throws a DomainError: (not_found), or (validation, invalid_cursor). */
export async function listBlockChildren(
  scope: ReadScope,
  blockId: string,
  { cursor, size }: Pagination,
): Promise<EncodedList<BlockBody>> {
  const id = normalizeId(blockId);
  const from = cursor === undefined ? undefined : parseId(cursor);
  if (cursor !== undefined && from === undefined) {
    throw createInvalidValueError("query.start_cursor", "a valid uuid", cursor);
  }
  const key = `children ${scope.workspaceId} ${id} ${from ?? ""} ${size}`;
  return scope.cache.remember<Children>(
    key,
    scope.getGeneration(),
    ({ pageId }) => readVersion(scope, pageId),
    () => readChildren(scope, id, from, { cursor, size }),
  );
}

async function readVersion(scope: ReadScope, pageId: string): Promise<string | undefined> {
  const versions = await findPageVersions(scope, pageId);
  // With the last edit, because versions repeat after a backup is imported.
  return versions && `${versions.version} ${versions.lastEditedTime}`;
}

async function readChildren(
  scope: ReadScope,
  id: string,
  from: string | undefined,
  { cursor, size }: Pagination,
): Promise<Children> {
  // Read before the block and its children, so that a change in between makes the cached list invalid.
  let version = await readVersion(scope, id);
  let block = await requireObjectAsBlock(scope, id);
  const pageId = getPageIdOfChildren(block);
  if (version === undefined) {
    // Not a page, so that the block must be read to know its page.
    version = await readVersion(scope, pageId);
    block = await requireObjectAsBlock(scope, id);
  }
  const part = await readPart(scope, getChildrenSourceId(block), from, size);
  if (part === undefined) throw createInvalidCursorError(String(cursor));
  let isListCacheable = isCacheable(block);
  const blocks = await presentList(scope, part, getBytes, async (batch) => {
    const children = await loadBlocks(scope, getIds(batch));
    // The same list, unless there are mentions, whose titles and names change without a new version of the page.
    const resolved = await resolveMentions(scope, children);
    isListCacheable &&= resolved === children && children.every(isSelfContainedBlock);
    return resolved.map((child) => new EncodedBody(toBlockBody(child)));
  });
  return { ...joinResults(blocks), pageId, version: isListCacheable ? version : undefined };
}

/** Reads the ids and sizes of some children from `from` on; undefined when the block has no such child. */
async function readPart(
  scope: ReadScope,
  parentId: string,
  from: string | undefined,
  size: number,
): Promise<ListPart<SizedRow> | undefined> {
  const found = await findChildSizes(scope, parentId, from, size + 1);
  return (
    found && {
      elements: found.slice(0, size),
      nextCursor: found[size]?.id ?? null,
      encodeCursorAfter: (element) => found[found.indexOf(element) + 1]?.id ?? element.id,
    }
  );
}

/** Whether the list of a block's children changes only with its page. */
function isCacheable(block: FoundBlock): boolean {
  // A block in the trash can be deleted permanently without a new version of its page.
  return !block.inTrash && (isSelfContainedBlock(block) || block.type === "child_page");
}

/** Part of a list of children. Its version is the version of the page that contains the children. */
interface Children extends EncodedList<BlockBody>, Versioned {
  readonly pageId: string;
}
