import type { Kysely } from "kysely";
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

/** Reads the counts of a workspace since a minute, that one included; minutes without requests are left out. */
export async function listRequestCounts(
  db: Kysely<Tables>,
  workspaceId: string,
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

/** Forgets the counts of all workspaces before a minute. */
export async function deleteRequestCounts(tx: Kysely<Tables>, before: number): Promise<void> {
  await tx.deleteFrom("request_counts").where("minute", "<", before).execute();
}
