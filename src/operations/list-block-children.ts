import { MAX_READ_BYTES, MAX_RESPONSE_BYTES } from "../budgets.js";
import { createInvalidCursorError } from "../domain/cursor.js";
import { createInvalidValueError } from "../domain/errors.js";
import { parseId, normalizeId } from "../domain/ids.js";
import { collectMentions, hasObjectMentions } from "../domain/mentions.js";
import type { StoredBlock } from "../storage/blocks.js";
import { takeWithinBytes } from "../storage/content-size.js";
import { findPageVersions } from "../storage/pages.js";
import { EncodedJson } from "../http/encoded-json.js";
import type { ListResult, Pagination } from "./list-parts.js";
import {
  findVisibleChildren,
  getChildrenSourceId,
  isSelfContainedBlock,
  getPageIdOfChildren,
  requireObjectAsBlock,
} from "./load/blocks.js";
import { type BlockBody, presentBlocks } from "./present/block.js";
import { estimateSize } from "./response-size.js";
import type { ReadScope } from "./scope.js";

/**
 * Lists the children of a block or page outside of the trash. The cursor is the id of the first child, as in Notion's API.
 * Throws a DomainError: (not_found), or (validation, invalid_cursor) when the cursor is not the id of a child.
 */
export async function listBlockChildren(
  scope: ReadScope,
  blockId: string,
  { cursor, size }: Pagination,
): Promise<EncodedBlocks> {
  const { workspaceId, cache } = scope;
  const id = normalizeId(blockId);
  const from = cursor === undefined ? undefined : parseId(cursor);
  if (cursor !== undefined && from === undefined) {
    throw createInvalidValueError("query.start_cursor", "a valid uuid", cursor);
  }
  const key = `children ${workspaceId} ${id} ${from ?? ""} ${size}`;
  const readVersion = async (pageId: string): Promise<number | undefined> =>
    (await findPageVersions(scope, pageId))?.version;
  const cached = await cache.getCurrent<CachedChildren>(key, scope.getGeneration(), async ({ pageId }) =>
    String(await readVersion(pageId)),
  );
  if (cached !== undefined) return cached.list;

  const block = await requireObjectAsBlock(scope, id);
  const pageId = getPageIdOfChildren(block);
  // Read before the children, so that a change in between makes the cached list invalid.
  const version = await readVersion(pageId);
  const limit = { count: size, bytes: MAX_READ_BYTES };
  const found = await findVisibleChildren(scope, getChildrenSourceId(block), from, limit);
  if (found === undefined) throw createInvalidCursorError(String(cursor));
  const { blocks: children, nextId } = found;
  const bodies = takeWithinBytes(await presentBlocks(scope, children), MAX_RESPONSE_BYTES, estimateSize);
  const results = new EncodedJson<readonly BlockBody[]>(JSON.stringify(bodies));
  const list = { results, nextCursor: children[bodies.length]?.id ?? nextId ?? null };
  // A block in the trash can be deleted permanently without a new version of its page.
  const isCacheable = !block.inTrash && (isSelfContainedBlock(block) || block.type === "child_page");
  // Other blocks, and titles and names in mentions, change without a new version of the page.
  const changesOnlyWithPage = (child: StoredBlock): boolean =>
    isSelfContainedBlock(child) && !hasObjectMentions(collectMentions(child.content));
  if (version !== undefined && isCacheable && children.every(changesOnlyWithPage)) {
    cache.set<CachedChildren>(key, String(version), { pageId, list }, results.bytes.length);
  }
  return list;
}

/** A part of a list of blocks, encoded to be sent several times. */
type EncodedBlocks = ListResult<BlockBody, EncodedJson<readonly BlockBody[]>>;

/** A cached part of a list of children. Its version is the version of the page that contains the children. */
interface CachedChildren {
  readonly pageId: string;
  readonly list: EncodedBlocks;
}
