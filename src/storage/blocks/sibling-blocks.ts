import { MAX_COUNTED_LIST_ITEMS } from "../../budgets.js";
import { NOT_IN_TRASH } from "../sql-helpers.js";
import type { StorageScope } from "../tables.js";

/** Finds the block outside of the trash that follows a block in the same parent; undefined after the last one. */
export async function findNextSiblingId(scope: StorageScope, blockId: string): Promise<string | undefined> {
  const next = await selectSiblings(scope, blockId, "after", 1).executeTakeFirst();
  return next?.id;
}

/** Counts the numbered list items directly before a block, at most MAX_COUNTED_LIST_ITEMS. */
export async function countListItemsBefore(scope: StorageScope, blockId: string): Promise<number> {
  const siblings = selectSiblings(scope, blockId, "before", MAX_COUNTED_LIST_ITEMS).select(({ fn }) =>
    fn
      .agg<number>("row_number")
      .over((over) => over.orderBy("sibling.position", "desc"))
      .as("distance"),
  );
  const { total, end } = await scope.db
    .selectFrom(siblings.as("sibling"))
    .select(({ fn }) => [
      fn.countAll<number>().as("total"),
      fn.min<number | null>("distance").filterWhere("type", "<>", "numbered_list_item").as("end"),
    ])
    .executeTakeFirstOrThrow();
  return end === null ? total : end - 1;
}

/** Selects the blocks outside of the trash on one side of a block in the same parent, the nearest first. */
function selectSiblings(scope: StorageScope, blockId: string, side: "before" | "after", limit: number) {
  const [operator, direction] = side === "after" ? ([">", "asc"] as const) : (["<", "desc"] as const);
  return scope.db
    .selectFrom("blocks as b")
    .innerJoin("blocks as sibling", (join) =>
      join
        .onRef("sibling.workspace_id", "=", "b.workspace_id")
        .onRef("sibling.parent_id", "=", "b.parent_id")
        .onRef("sibling.position", operator, "b.position"),
    )
    .select(["sibling.id", "sibling.type"])
    .where("b.workspace_id", "=", scope.workspaceId)
    .where("b.id", "=", blockId)
    .where("sibling.in_trash", "=", NOT_IN_TRASH)
    .orderBy("sibling.position", direction)
    .limit(limit);
}
