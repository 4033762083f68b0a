import type { Kysely } from "kysely";
import type { FoundBlock } from "./block-rows.js";
import { findBlock, findChildren, hasShownChildren } from "./blocks.js";
import type { Tables } from "./tables.js";
import { findTitled, type Titled } from "./titles.js";

/*
 * Blocks with what is known of them elsewhere: pages and databases with their title, and synced blocks with whether the
 * block that they refer to has children.
 */

/**
 * Reads a block, or a page or database as a block.
 *
 * @param db `store.read`, or the transaction of a job.
 * @returns undefined when the workspace has nothing of that id.
 */
export async function findWholeBlock(
  db: Kysely<Tables>,
  workspaceId: string,
  id: string,
): Promise<FoundBlock | undefined> {
  const block = await findBlock(db, workspaceId, id);
  if (block !== undefined) return (await completeBlocks(db, workspaceId, [block]))[0];
  const titled = (await findTitled(db, workspaceId, { pages: [id], databases: [id] })).get(id);
  if (titled === undefined) return undefined;
  const hasChildren = await hasShownChildren(db, workspaceId, id);
  return { ...asBlock(titled), pageId: id, hasChildren, version: 0 };
}

/** Reads children as findChildren does. */
export async function findWholeChildren(
  db: Kysely<Tables>,
  workspaceId: string,
  parentId: string,
  from: string | undefined,
  limit: number,
): Promise<FoundBlock[] | undefined> {
  const children = await findChildren(db, workspaceId, parentId, from, limit);
  return children && completeBlocks(db, workspaceId, children);
}

/** Whether a block is shown as it is stored, so that it looks the same until it is changed itself. */
export function isSelfContained(block: FoundBlock): boolean {
  return block.type !== "child_page" && block.type !== "child_database" && originalOf(block) === undefined;
}

/** The id of the block whose children a synced block shows in place of its own; undefined for all others. */
export function originalOf({ type, content }: FoundBlock): string | undefined {
  if (type !== "synced_block") return undefined;
  const { synced_from: from } = content;
  const refers = typeof from === "object" && from !== null && "block_id" in from;
  return refers ? String(from.block_id) : undefined;
}

/**
 * Adds to blocks what is known of them elsewhere.
 *
 * @param db `store.read`, or the transaction of a job.
 */
export async function completeBlocks(
  db: Kysely<Tables>,
  workspaceId: string,
  blocks: readonly FoundBlock[],
): Promise<FoundBlock[]> {
  const titled = await findTitled(db, workspaceId, {
    pages: idsOf(blocks, "child_page"),
    databases: idsOf(blocks, "child_database"),
  });
  const filled = new Set<string>();
  for (const original of new Set(blocks.flatMap((block) => originalOf(block) ?? []))) {
    if (await hasShownChildren(db, workspaceId, original)) filled.add(original);
  }
  return blocks.map((block) => {
    const original = originalOf(block);
    if (original !== undefined) return { ...block, hasChildren: filled.has(original) };
    const object = titled.get(block.id);
    return object === undefined ? block : { ...block, ...asBlock(object) };
  });
}

function idsOf(blocks: readonly FoundBlock[], type: FoundBlock["type"]): string[] {
  return blocks.filter((block) => block.type === type).map(({ id }) => id);
}

function asBlock({ kind, title, ...object }: Titled) {
  const type = kind === "page" ? ("child_page" as const) : ("child_database" as const);
  return { ...object, type, content: { title } };
}
