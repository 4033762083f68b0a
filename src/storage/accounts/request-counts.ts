import { type RawBuilder, sql } from "kysely";
import type { Db, StorageScope } from "../tables.js";

/** Requests of a workspace in a minute: within its limit, and refused. */
export interface RequestCount {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly passed: number;
  readonly refused: number;
}

/** Adds to the count of a workspace in a minute, which other processes add to as well. Ignores a deleted workspace. */
export async function addRequestCount(
  { db, workspaceId }: StorageScope,
  { minute, passed, refused }: RequestCount,
): Promise<void> {
  await db
    .insertInto("request_counts")
    .columns(["workspace_id", "minute", "passed", "refused"])
    .expression((eb) =>
      eb
        .selectFrom("workspaces")
        .select([
          "id",
          toBigint(minute).as("minute"),
          toBigint(passed).as("passed"),
          toBigint(refused).as("refused"),
        ])
        .where("id", "=", workspaceId),
    )
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "minute"]).doUpdateSet((eb) => ({
        passed: eb("request_counts.passed", "+", eb.ref("excluded.passed")),
        refused: eb("request_counts.refused", "+", eb.ref("excluded.refused")),
      })),
    )
    .execute();
}

/** Passes a number to a SELECT, where PostgreSQL takes parameters without a type for texts. */
function toBigint(value: number): RawBuilder<number> {
  return sql`cast(${value} as bigint)`;
}

/** Lists the counts of a workspace from a minute on. Minutes without requests are omitted. */
export async function listRequestCounts(
  { db, workspaceId }: StorageScope,
  since: number,
): Promise<RequestCount[]> {
  return db
    .selectFrom("request_counts")
    .select(["minute", "passed", "refused"])
    .where("workspace_id", "=", workspaceId)
    .where("minute", ">=", since)
    .orderBy("minute")
    .execute();
}

const HALF_HOUR_MINUTES = 30;

/** Lists the counts of a workspace summed by half hour; `minute` is its first minute. */
export async function listHalfHours(
  { db, workspaceId }: StorageScope,
  since: number,
): Promise<RequestCount[]> {
  // Both databases truncate the division of integers. Sums are cast, because in PostgreSQL they have another type.
  const start = sql<number>`minute / cast(${sql.lit(HALF_HOUR_MINUTES)} as bigint)`;
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
  return rows.map(({ start: halfHour, ...counts }) => ({ minute: halfHour * HALF_HOUR_MINUTES, ...counts }));
}

/** Deletes the counts of all workspaces before a minute. */
export async function deleteRequestCounts(tx: Db, before: number): Promise<void> {
  await tx.deleteFrom("request_counts").where("minute", "<", before).execute();
}
