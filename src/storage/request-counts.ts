import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables.js";

/** Requests of a workspace in a minute: those that passed its limit, and those that did not. */
export interface RequestCount {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly passed: number;
  readonly refused: number;
}

/** Adds to the count of a workspace in a minute; other processes add to it too. */
export async function addRequestCount(
  tx: Kysely<Tables>,
  workspaceId: string,
  { minute, passed, refused }: RequestCount,
): Promise<void> {
  await tx
    .insertInto("request_counts")
    .values({ workspace_id: workspaceId, minute, passed, refused })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "minute"]).doUpdateSet((count) => ({
        passed: count("request_counts.passed", "+", count.ref("excluded.passed")),
        refused: count("request_counts.refused", "+", count.ref("excluded.refused")),
      })),
    )
    .execute();
}

/**
 * Reads the counts of a workspace since a minute, that one included, in sums of some minutes each; `minute` is the first
 * of them. Those without requests are left out.
 *
 * @param size Minutes of a sum.
 */
export async function listRequestCounts(
  db: Kysely<Tables>,
  workspaceId: string,
  since: number,
  size = 1,
): Promise<RequestCount[]> {
  // Whole numbers are divided to whole numbers by both databases; a sum is of another type in PostgreSQL.
  const start = sql<number>`minute / cast(${sql.lit(size)} as bigint)`;
  const rows = await db
    .selectFrom("request_counts")
    .select([
      start.as("start"),
      sql<number>`cast(sum(passed) as bigint)`.as("passed"),
      sql<number>`cast(sum(refused) as bigint)`.as("refused"),
    ])
    .where("workspace_id", "=", workspaceId)
    .where("minute", ">=", since)
    .groupBy(start)
    .orderBy(start)
    .execute();
  return rows.map(({ start, passed, refused }) => ({ minute: start * size, passed, refused }));
}

/** Forgets the counts of all workspaces before a minute. */
export async function deleteRequestCounts(tx: Kysely<Tables>, before: number): Promise<void> {
  await tx.deleteFrom("request_counts").where("minute", "<", before).execute();
}
