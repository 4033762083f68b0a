import { type RawBuilder, sql } from "kysely";
import { REQUEST_COUNT_TTL_MS } from "../../budgets.js";
import { MINUTE_MS } from "../../units.js";
import type { AccessTables } from "./tables.js";
import type { Entity } from "../column-names.js";
import { deleteSelected } from "../sql-helpers.js";
import type { Db, StorageScope } from "../tables.js";
import { selectFrom } from "../workspace-rows.js";

/** Requests of a workspace in a minute. */
export type RequestCount = Entity<Omit<AccessTables["request_counts"], "workspace_id">>;

/** Adds to the request count of a workspace in a minute. Several processes can add to it. Does nothing for a deleted workspace. */
export async function addRequestCount(scope: StorageScope, count: RequestCount): Promise<void> {
  await scope.db
    .insertInto("request_counts")
    .columns(["workspace_id", "minute", "passed", "refused"])
    .expression((eb) =>
      eb
        .selectFrom("workspaces")
        .select([
          "id",
          toBigint(count.minute).as("minute"),
          toBigint(count.passed).as("passed"),
          toBigint(count.refused).as("refused"),
        ])
        .where("id", "=", scope.workspaceId),
    )
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "minute"]).doUpdateSet((eb) => ({
        passed: eb("request_counts.passed", "+", eb.ref("excluded.passed")),
        refused: eb("request_counts.refused", "+", eb.ref("excluded.refused")),
      })),
    )
    .execute();
}

/** Casts a parameter in the list of a SELECT. Without the cast PostgreSQL gives it the type text. */
function toBigint(value: number): RawBuilder<number> {
  return sql`cast(${value} as bigint)`;
}

/** Reads request counts since a minute. */
export async function findRequestCounts(scope: StorageScope, since: number): Promise<RequestCount[]> {
  return selectFrom(scope, "request_counts")
    .select(["minute", "passed", "refused"])
    .where("minute", ">=", since)
    .orderBy("minute")
    .execute();
}

/** Deletes up to `limit` counts of all workspaces that have expired at `now`, and returns their number. */
export async function deleteExpiredRequestCounts(tx: Db, now: number, limit: number): Promise<number> {
  const oldestMinute = Math.floor((now - REQUEST_COUNT_TTL_MS) / MINUTE_MS);
  const expired = sql`where minute < ${oldestMinute} order by minute limit ${limit}`;
  return deleteSelected(tx, "request_counts", expired);
}
