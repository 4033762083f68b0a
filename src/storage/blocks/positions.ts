import { sql } from "kysely";
import { MAX_REBALANCED_BLOCKS, MAX_REBALANCED_BYTES } from "../../budgets.js";
import { takeRowsWithinLimit } from "../row-limit.js";
import { generateNKeysBetween } from "fractional-indexing";
import { isPostgres } from "../engine/dialect.js";
import type { StorageScope } from "../tables.js";
import { selectFrom, updateTable } from "../workspace-rows.js";

/* Positions order the children of a parent. They are texts (fractional indexing), so that an insertion changes no other one. */

/** Maximum length of a position. Repeated insertions between the same two children make positions longer. */
const MAX_POSITION_LENGTH = 100;

/** Begins positions during a change of many. Sorts after all others, which consist of letters and digits. */
const TEMPORARY_PREFIX = "~";

/** Creates ascending positions after the child `after`, or at the end by default. Returns undefined for an unknown child. */
export async function createPositions(
  scope: StorageScope,
  parentId: string,
  count: number,
  after: string | undefined,
): Promise<string[] | undefined> {
  const gap = await findGap(scope, parentId, after);
  if (gap === undefined) return undefined;
  const positions = generateNKeysBetween(gap.lower, gap.upper, count);
  if (positions.every((position) => position.length <= MAX_POSITION_LENGTH)) return positions;
  await spreadPositions(scope, parentId, gap.lower ?? "");
  const spreadGap = await findGap(scope, parentId, after);
  return spreadGap && generateNKeysBetween(spreadGap.lower, spreadGap.upper, count);
}

/** Finds the positions on both sides of the gap behind the child `after`, or at the end by default; undefined for an unknown child. */
async function findGap(scope: StorageScope, parentId: string, after: string | undefined) {
  const children = selectFrom(scope, "blocks").select("position").where("parent_id", "=", parentId);
  if (after === undefined) {
    const last = await children.orderBy("position", "desc").limit(1).executeTakeFirst();
    return { lower: last?.position ?? null, upper: null };
  }
  const lower = await findPosition(scope, parentId, after);
  if (lower === undefined) return undefined;
  const next = await children.where("position", ">", lower).orderBy("position").limit(1).executeTakeFirst();
  return { lower, upper: next?.position ?? null };
}

/** Finds the position of a child, in or outside of the trash; undefined when the parent has no such child. */
export async function findPosition(
  scope: StorageScope,
  parentId: string,
  childId: string,
): Promise<string | undefined> {
  const child = await selectFrom(scope, "blocks")
    .select("position")
    .where("parent_id", "=", parentId)
    .where("id", "=", childId)
    .limit(1)
    .executeTakeFirst();
  return child?.position;
}

/** Replaces the positions of the children before and after a position by shorter ones, in the same order. */
async function spreadPositions(scope: StorageScope, parentId: string, around: string): Promise<void> {
  const children = selectFrom(scope, "blocks")
    .select(["id", "position", sql<number>`octet_length(content)`.as("bytes")])
    .where("parent_id", "=", parentId)
    // One more child on each side, which keeps its position. The new positions are between these two.
    .limit(MAX_REBALANCED_BLOCKS + 1);
  const preceding = await children.where("position", "<=", around).orderBy("position", "desc").execute();
  const following = await children.where("position", ">", around).orderBy("position").execute();
  const limit = { count: MAX_REBALANCED_BLOCKS, bytes: MAX_REBALANCED_BYTES };
  const [movedBefore, movedAfter] = [
    takeRowsWithinLimit(preceding, limit),
    takeRowsWithinLimit(following, limit),
  ];
  const from = preceding[movedBefore.length]?.position ?? null;
  const to = following[movedAfter.length]?.position ?? null;
  const moved = [...movedBefore.toReversed(), ...movedAfter];
  const positions = generateNKeysBetween(from, to, moved.length);
  const positionsById = zipPositions(moved, positions).map(([{ id }, position]) => [id, position] as const);
  const updateChildren = updateTable(scope, "blocks").where("parent_id", "=", parentId);
  // Changes the old positions first, because positions must be unique after each change of a row.
  let updateMoved = updateChildren.set({ position: sql<string>`${TEMPORARY_PREFIX} || position` });
  if (from !== null) updateMoved = updateMoved.where("position", ">", from);
  if (to !== null) updateMoved = updateMoved.where("position", "<", to);
  await updateMoved.execute();
  const text = JSON.stringify(Object.fromEntries(positionsById));
  const json = isPostgres(scope.db) ? sql`cast(${text} as jsonb)` : sql`jsonb(${text})`;
  await updateChildren
    // A subquery converts the text once instead of for each row.
    .set({ position: sql<string>`(select ${json}) ->> id` })
    .where("position", ">", TEMPORARY_PREFIX)
    .execute();
}

export function createFirstPositions(count: number): string[] {
  return generateNKeysBetween(null, null, count);
}

export function zipPositions<Child>(
  children: readonly Child[],
  positions: readonly string[],
): [Child, string][] {
  return children.map((child, index) => {
    const position = positions[index];
    if (position === undefined) throw new Error("there are fewer positions than children");
    return [child, position];
  });
}
