import type { Kysely } from "kysely";
import type { BlocksHandlers } from "../../generated/routes.js";
import type { components } from "../../generated/types.js";
import { changeBlock } from "../domain/blocks/change.js";
import { checkRow } from "../domain/blocks/nesting.js";
import { DomainError, notFound, shapeError } from "../domain/errors.js";
import { parseId, requireId } from "../domain/ids.js";
import { mentionedIn, mentionsNothing } from "../domain/mentions.js";
import { archivedError, trashWanted } from "../domain/trash.js";
import type { FoundBlock } from "../storage/block-rows.js";
import { findBlock, touchPage, updateBlock } from "../storage/blocks.js";
import { setInTrash } from "../storage/move-to-trash.js";
import { findPageVersion } from "../storage/page-version.js";
import type { Store } from "../storage/store.js";
import type { Tables } from "../storage/tables.js";
import {
  completeBlocks,
  findWholeBlock,
  findWholeChildren,
  isSelfContained,
  originalOf,
} from "../storage/whole-blocks.js";
import { checkTarget } from "./block-references.js";
import { ChildrenCache, type ShownChildren } from "./children-cache.js";
import type { Context, SuppliedHeaders } from "./context.js";
import { checkMentions, nameMentions } from "./mentions.js";
import { addBlocks } from "./new-blocks.js";
import { pageWanted } from "./paging.js";
import { type BlockBody, renderBlock } from "./render-block.js";

/**
 * The operations on blocks. A page or database is a block, too.
 *
 * @param appUrl address of the web application, which the addresses of mentioned pages begin with
 */
export function blocksHandlers(store: Store, appUrl: string): BlocksHandlers<Context, SuppliedHeaders> {
  const cache = new ChildrenCache();

  const show = async (
    db: Kysely<Tables>,
    workspaceId: string,
    blocks: readonly FoundBlock[],
  ): Promise<BlockBody[]> => (await nameMentions(db, workspaceId, appUrl, blocks)).map(renderBlock);

  const showOne = async (db: Kysely<Tables>, workspaceId: string, id: string): Promise<BlockBody> =>
    renderBlock(await nameMentions(db, workspaceId, appUrl, await requireBlock(db, workspaceId, id)));

  /** A part of the list of a block's children; the same object again while nothing of it has changed. */
  const showChildren = async (
    workspaceId: string,
    id: string,
    cursor: string | undefined,
    size: number,
  ): Promise<ShownChildren> => {
    const key = `${workspaceId} ${id} ${cursor ?? ""} ${size}`;
    const versionOf = (pageId: string) => findPageVersion(store.read, workspaceId, pageId);
    const known = await cache.get(key, versionOf);
    if (known !== undefined) return known;
    const block = await requireBlock(store.read, workspaceId, id);
    const pageId = pageOf(block);
    const version = await versionOf(pageId);
    const found = await findWholeChildren(store.read, workspaceId, originalOf(block) ?? id, cursor, size + 1);
    if (found === undefined) {
      throw new DomainError("validation", `The start_cursor provided is invalid: ${String(cursor)}`);
    }
    const children = found.slice(0, size);
    const results = Object.freeze((await show(store.read, workspaceId, children)).map(freeze));
    const shown = { results, next: found[size]?.id ?? null };
    const keeps = isSelfContained(block) || block.type === "child_page";
    if (version !== undefined && keeps && children.every(looksTheSame))
      cache.put(key, pageId, version, shown);
    return shown;
  };

  return {
    async retrieveBlock({ path }, { principal }) {
      const id = requireId(path.block_id);
      return { status: 200, body: await showOne(store.read, principal.workspaceId, id) };
    },

    async deleteBlock(request, { principal, write }) {
      const { workspaceId, keyId } = principal;
      const id = requireId(request.path.block_id);
      return write(request, async (tx) => {
        const block = await requireBlock(tx, workspaceId, id);
        if (block.inTrash) throw archivedError();
        await setInTrash(tx, workspaceId, block, true, keyId, Date.now());
        return { status: 200, body: await showOne(tx, workspaceId, id) };
      });
    },

    async updateBlock(request, { principal, write }) {
      const { path, body } = request;
      const { workspaceId, keyId } = principal;
      const id = requireId(path.block_id);
      return write(request, async (tx) => {
        const block = await requireBlock(tx, workspaceId, id);
        const now = Date.now();
        const changed = changeBlock(block, body, keyId, now);
        const inTrash = trashWanted(body);
        if (inTrash !== undefined) await setInTrash(tx, workspaceId, block, inTrash, keyId, now);
        if (changed !== block) {
          await checkMentions(tx, workspaceId, changed.content);
          await checkTarget(tx, workspaceId, changed.type, changed.content);
          if (changed.type === "table_row") checkRow(changed.content, await parentOf(tx, workspaceId, block));
          await updateBlock(tx, workspaceId, changed);
          await touchPage(tx, workspaceId, block.pageId, keyId, now);
        }
        return { status: 200, body: await showOne(tx, workspaceId, id) };
      });
    },

    async listBlockChildren({ path, query }, { principal, requestId }) {
      const { cursor, size } = pageWanted(query);
      const from = cursor === undefined ? undefined : parseId(cursor);
      if (cursor !== undefined && from === undefined) {
        throw shapeError("query.start_cursor", "a valid uuid", cursor);
      }
      const id = requireId(path.block_id);
      const { results, next } = await showChildren(principal.workspaceId, id, from, size);
      return { status: 200, body: listOf(requestId, results, next) };
    },

    async appendBlockChildren(request, { principal, requestId, write }) {
      const { path, body } = request;
      const { workspaceId, keyId } = principal;
      const id = requireId(path.block_id);
      return write(request, async (tx) => {
        const block = await requireBlock(tx, workspaceId, id);
        if (block.inTrash) throw archivedError();
        const added = await addBlocks(tx, workspaceId, {
          parent: { type: block.type === "child_page" ? "page_id" : "block_id", id },
          pageId: pageOf(block),
          container: block,
          inputs: body.children,
          place: "body.children",
          after: body.after === undefined ? undefined : requireId(body.after),
          by: keyId,
          now: Date.now(),
        });
        const whole = await completeBlocks(tx, workspaceId, added);
        return { status: 200, body: listOf(requestId, await show(tx, workspaceId, whole), null) };
      });
    },
  };
}

async function requireBlock(db: Kysely<Tables>, workspaceId: string, id: string): Promise<FoundBlock> {
  const block = await findWholeBlock(db, workspaceId, id);
  if (block === undefined) throw notFound("block", id);
  return block;
}

/** The block that a block is directly in. */
async function parentOf(
  tx: Kysely<Tables>,
  workspaceId: string,
  { id, parent }: FoundBlock,
): Promise<FoundBlock> {
  const found = parent.type === "block_id" ? await findBlock(tx, workspaceId, parent.id) : undefined;
  if (found === undefined) throw new Error(`the block ${id} is in none`);
  return found;
}

/** The page that the children of a block are in. */
function pageOf(block: FoundBlock): string {
  return block.type === "child_page" ? block.id : block.pageId;
}

/** Whether a block looks the same until the page that it is in has changed. */
function looksTheSame(block: FoundBlock): boolean {
  return isSelfContained(block) && mentionsNothing(mentionedIn(block.content));
}

function freeze(body: BlockBody): BlockBody {
  return Object.freeze(body);
}

function listOf(
  requestId: string,
  results: readonly BlockBody[],
  next: string | null,
): components["schemas"]["BlockList"] {
  return {
    object: "list",
    // The cast: an answer is written and not changed.
    results: results as BlockBody[],
    next_cursor: next,
    has_more: next !== null,
    type: "block",
    block: {},
    request_id: requestId,
  };
}
