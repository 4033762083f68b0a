import {
  MAX_BLOCK_LEVELS,
  MAX_CELLS_IN_PAGE,
  MAX_NESTED_BLOCKS,
  MAX_PAGE_PART_BYTES,
  MAX_SHOWN_CONTENT_BYTES,
  MAX_TOP_LEVEL_BLOCKS,
} from "../../budgets.js";
import { getOrCreate } from "../../get-or-create.js";
import { type FoundBlock, findChildrenOfParents } from "../../storage/blocks/blocks.js";
import { getObjectKind } from "../../storage/objects/objects.js";
import { indexById, takeWithinLimit } from "../../lists.js";
import { type BlockBody, presentBlocks } from "../present/block.js";
import { estimateSize } from "../execution/response-size.js";
import type { Scope } from "../execution/scope.js";
import { completeBlocks, findVisibleChildren, getChildrenSourceId } from "../load/blocks.js";

/** A part of a page's blocks, for links to blocks in it. */
export interface BlockLocation {
  readonly pageId: string;
  /** Id of the block that the part begins with; undefined for the first part. */
  readonly cursor: string | undefined;
}

export interface BlockNode {
  readonly block: BlockBody;
  readonly children: readonly BlockNode[];
  /** Location of the children that were not read; undefined when all were read. */
  readonly rest: BlockLocation | undefined;
  /** Header of a table whose `children` begin with a later row. */
  readonly headerRow?: BlockBody | undefined;
  /** Number in its list of a numbered list item that begins a part of the page. */
  readonly listNumber?: number;
}

/** A part of a page's blocks, each with the blocks in it. */
export interface BlockTreePart {
  readonly blocks: readonly BlockNode[];
  /** The id of the block that the next part begins with; null at the end of the page. */
  readonly nextBlockId: string | null;
}

/**
 * Reads a part of the blocks in a page or block, with the blocks in them, in one query for each level. The part begins with the
 * block `firstBlockId`, or with the first one if it is undefined. Returns undefined when the parent has no such block.
 */
export async function loadBlockTree(
  scope: Scope,
  parentId: string,
  firstBlockId: string | undefined,
): Promise<BlockTreePart | undefined> {
  const found = await findVisibleChildren(scope, parentId, firstBlockId, {
    count: MAX_TOP_LEVEL_BLOCKS,
    bytes: MAX_PAGE_PART_BYTES,
  });
  if (found === undefined) return undefined;
  const top = takeWithinLimit(found.blocks, MAX_CELLS_IN_PAGE, countCells);
  const { childrenByParent, truncatedParentIds } = await loadDescendants(scope, top);
  const all = [...top, ...[...childrenByParent.values()].flat()];
  const bodies = indexById(await presentBlocks(scope, all));
  const limit = new TreeLimit();

  function toTree(block: FoundBlock, level: number): BlockNode[] {
    const body = bodies.get(block.id);
    if (body === undefined || !limit.reserve(block, body)) return [];
    const parentId = getChildrenSourceId(block);
    const found = level < MAX_BLOCK_LEVELS && isNested(block) ? (childrenByParent.get(parentId) ?? []) : [];
    const children = found.flatMap((child) => toTree(child, level + 1));
    const isComplete =
      !isNested(block) ||
      (children.length > 0 && children.length === found.length && !truncatedParentIds.has(parentId));
    // The rest begins with a block that this part shows already: the last child or, without children, the block itself.
    const { pageId, id } = found[children.length - 1] ?? block;
    return [{ block: body, children, rest: isComplete ? undefined : { pageId, cursor: id } }];
  }
  const blocks = top.flatMap((block) => toTree(block, 0));
  return { blocks, nextBlockId: found.blocks[blocks.length]?.id ?? found.nextId ?? null };
}

/** Limits the size of a tree: synced copies repeat blocks, and a copy that contains itself doubles them with each level. */
class TreeLimit {
  readonly #contentBytes = new Map<string, number>();
  #count = 0;
  #bytes = 0;
  #cells = 0;
  #isReached = false;

  /**
   * Reserves space for a block. Returns false when it exceeds a limit, and from then on for all blocks, because the next part must
   * begin with the first block that is left out. The first block always has space.
   */
  reserve(block: FoundBlock, body: BlockBody): boolean {
    this.#bytes += getOrCreate(this.#contentBytes, block.id, () => estimateContentSize(body));
    this.#cells += countCells(block);
    this.#isReached ||=
      this.#count > 0 &&
      (this.#count === MAX_TOP_LEVEL_BLOCKS + MAX_NESTED_BLOCKS ||
        this.#bytes > MAX_SHOWN_CONTENT_BYTES ||
        this.#cells > MAX_CELLS_IN_PAGE);
    if (!this.#isReached) this.#count += 1;
    return !this.#isReached;
  }
}

/** Estimates the bytes of a block without the fields that all blocks have, but with the titles in its mentions. */
function estimateContentSize(body: BlockBody): number {
  // Safe cast: the block has its content under the name of its type.
  return estimateSize((body as Readonly<Record<string, unknown>>)[body.type]);
}

async function loadDescendants(scope: Scope, top: readonly FoundBlock[]) {
  const childrenByParent = new Map<string, FoundBlock[]>();
  /** Ids of parents that have further children, which were not read. */
  const truncatedParentIds = new Set<string | null>();
  let count = MAX_NESTED_BLOCKS;
  let bytes = MAX_PAGE_PART_BYTES;
  let cells = MAX_CELLS_IN_PAGE;
  let level = top;
  for (let depth = 0; depth < MAX_BLOCK_LEVELS && level.length > 0 && count > 0 && bytes > 0; depth += 1) {
    const parents = [...new Set(level.filter(isNested).map(getChildrenSourceId))].filter(
      (id) => !childrenByParent.has(id),
    );
    const found = await findChildrenOfParents(scope, parents, { count, bytes });
    level = takeWithinLimit(await completeBlocks(scope, found.blocks), cells, countCells);
    const firstCut = found.blocks[level.length];
    truncatedParentIds.add(firstCut === undefined ? found.truncatedParentId : getParentId(firstCut));
    for (const child of level) {
      cells -= countCells(child);
      getOrCreate(childrenByParent, getParentId(child), () => []).push(child);
    }
    count -= level.length;
    bytes -= found.bytes;
  }
  return { childrenByParent, truncatedParentIds };
}

function getParentId({ parent, pageId }: FoundBlock): string {
  // A block is never in the workspace, but the compiler does not know that.
  return parent.type === "workspace" ? pageId : parent.id;
}

function countCells({ type, content }: FoundBlock): number {
  return type === "table_row" && Array.isArray(content.cells) ? content.cells.length : 0;
}

/** Whether a block shows children inside of it. Pages and databases are shown as links, without children. */
function isNested({ type, hasChildren }: FoundBlock): boolean {
  return hasChildren && getObjectKind(type) === "block";
}
