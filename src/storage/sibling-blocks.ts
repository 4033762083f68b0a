import { type ExpressionBuilder, sql } from "kysely";
import { NOT_IN_TRASH } from "./blocks.js";
import type { BlocksTable, StorageScope, Tables } from "./tables.js";

/** Finds the block outside of the trash that follows a block in the same parent; undefined after the last one. */
export async function findNextSiblingId(
  { db, workspaceId }: StorageScope,
  blockId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("blocks as b")
    .innerJoin("blocks as next", (join) =>
      join
        .onRef("next.workspace_id", "=", "b.workspace_id")
        .onRef("next.parent_id", "=", "b.parent_id")
        .onRef("next.position", ">", "b.position"),
    )
    .select("next.id")
    .where("b.workspace_id", "=", workspaceId)
    .where("b.id", "=", blockId)
    .where("next.in_trash", "=", NOT_IN_TRASH)
    .orderBy("next.position")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Counts the numbered list items directly before a block, in the same list as the block if it is one of them. */
export async function countListItemsBefore(
  { db, workspaceId }: StorageScope,
  blockId: string,
): Promise<number> {
  const selectBefore = (eb: ExpressionBuilder<Tables & { b: BlocksTable }, "b">) =>
    eb
      .selectFrom("blocks as before")
      .whereRef("before.workspace_id", "=", "b.workspace_id")
      .whereRef("before.parent_id", "=", "b.parent_id")
      .whereRef("before.position", "<", "b.position")
      .where("before.in_trash", "=", NOT_IN_TRASH);
  const row = await db
    .selectFrom("blocks as b")
    .where("b.workspace_id", "=", workspaceId)
    .where("b.id", "=", blockId)
    .select((eb) =>
      selectBefore(eb)
        .where("before.type", "=", "numbered_list_item")
        .where("before.position", ">", (inner) =>
          inner.fn.coalesce(
            selectBefore(inner)
              .where("before.type", "!=", "numbered_list_item")
              .select("before.position")
              .orderBy("before.position", "desc")
              .limit(1),
            sql.lit(""),
          ),
        )
        .select((inner) => inner.fn.countAll<number | string>().as("count"))
        .as("count"),
    )
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
