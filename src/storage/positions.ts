import { generateNKeysBetween } from "fractional-indexing";
import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables.js";

/** Maximum length of a position. Repeated insertions into the same gap make positions longer. */
const MAX_LENGTH = 100;

/**
 * Creates positions for new children of a parent, at the end or after one of its children.
 *
 * @param after id of a child, which may be in the trash
 * @returns `count` positions in order; undefined when the parent has no child with the id `after`
 */
export async function makePositions(
  tx: Kysely<Tables>,
  workspaceId: string,
  parentId: string,
  count: number,
  after: string | undefined,
): Promise<string[] | undefined> {
  const gap = await findGap(tx, workspaceId, parentId, after);
  if (gap === undefined) return undefined;
  const positions = generateNKeysBetween(gap.from, gap.to, count);
  if (positions.every((position) => position.length <= MAX_LENGTH)) return positions;
  await spreadPositions(tx, workspaceId, parentId);
  const wider = await findGap(tx, workspaceId, parentId, after);
  return wider && generateNKeysBetween(wider.from, wider.to, count);
}

interface Gap {
  readonly from: string | null;
  readonly to: string | null;
}

async function findGap(
  tx: Kysely<Tables>,
  workspaceId: string,
  parentId: string,
  after: string | undefined,
): Promise<Gap | undefined> {
  const children = tx
    .selectFrom("blocks")
    .select("position")
    .where("workspace_id", "=", workspaceId)
    .where("parent_id", "=", parentId);
  if (after === undefined) {
    const last = await children.orderBy("position", "desc").limit(1).executeTakeFirst();
    return { from: last?.position ?? null, to: null };
  }
  const before = await children.where("id", "=", after).executeTakeFirst();
  if (before === undefined) return undefined;
  const next = await children
    .where("position", ">", before.position)
    .orderBy("position")
    .limit(1)
    .executeTakeFirst();
  return { from: before.position, to: next?.position ?? null };
}

/** Gives all children of a parent new short positions in the same order. */
async function spreadPositions(tx: Kysely<Tables>, workspaceId: string, parentId: string): Promise<void> {
  const rows = await tx
    .selectFrom("blocks")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("parent_id", "=", parentId)
    .orderBy("position")
    .execute();
  // Renames the old positions first, because positions must be unique at any time.
  await tx
    .updateTable("blocks")
    .set({ position: sql<string>`'~' || position` })
    .where("workspace_id", "=", workspaceId)
    .where("parent_id", "=", parentId)
    .execute();
  for (const [{ id }, position] of zip(rows, firstPositions(rows.length))) {
    await tx
      .updateTable("blocks")
      .set({ position })
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", id)
      .execute();
  }
}

/** Creates positions for the children of a new parent. */
export function firstPositions(count: number): string[] {
  return generateNKeysBetween(null, null, count);
}

/** Pairs children with their positions. */
export function zip<Child>(children: readonly Child[], positions: readonly string[]): [Child, string][] {
  return children.map((child, index) => {
    const position = positions[index];
    if (position === undefined) throw new Error("there are fewer positions than children");
    return [child, position];
  });
}
