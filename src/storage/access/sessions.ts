import { sql } from "kysely";
import { SESSION_IDLE_TIMEOUT_MS } from "../../budgets.js";
import { compileOnce, takeFirst } from "../engine/compile-once.js";
import { toSnakeCase } from "../column-names.js";
import { deleteSelected } from "../sql-helpers.js";
import type { Db } from "../tables.js";
import { IS_VISIBLE } from "./workspaces.js";

/** Finds a session by the hash of its token; undefined for unknown tokens, removed members and hidden workspaces. */
export const findSession = takeFirst(
  compileOnce((db, hash: string) =>
    db
      .selectFrom("sessions as s")
      .innerJoin("accounts as a", "a.id", "s.account_id")
      .innerJoin("workspaces as w", "w.id", "s.workspace_id")
      // The join leaves out sessions of removed members.
      .innerJoin("members as m", (join) =>
        join.onRef("m.workspace_id", "=", "s.workspace_id").onRef("m.account_id", "=", "s.account_id"),
      )
      .select([
        "s.hash",
        "s.csrf_token as csrfToken",
        "s.created_time as createdTime",
        "s.last_seen_time as lastSeenTime",
        "a.id as accountId",
        "a.name as accountName",
        "a.email",
        "w.id as workspaceId",
        "w.name as workspaceName",
        "w.plan",
        "w.request_limit as customRequestLimit",
        "m.role",
      ])
      .where("s.hash", "=", hash)
      .where(IS_VISIBLE)
      .limit(1),
  ),
);

/** A session with its account and its current workspace. Times are milliseconds since 1970. */
export type Session = NonNullable<Awaited<ReturnType<typeof findSession>>>;

export async function insertSession(
  tx: Db,
  session: { hash: string; accountId: string; workspaceId: string; csrfToken: string },
  time: number,
): Promise<void> {
  await tx
    .insertInto("sessions")
    .values({ ...toSnakeCase(session), created_time: time, last_seen_time: time })
    .execute();
}

export async function setSessionSeen(tx: Db, hash: string, time: number): Promise<void> {
  await tx.updateTable("sessions").set({ last_seen_time: time }).where("hash", "=", hash).execute();
}

export async function setSessionWorkspace(tx: Db, hash: string, workspaceId: string): Promise<void> {
  await tx.updateTable("sessions").set({ workspace_id: workspaceId }).where("hash", "=", hash).execute();
}

export async function deleteSession(tx: Db, hash: string): Promise<void> {
  await tx.deleteFrom("sessions").where("hash", "=", hash).execute();
}

export async function deleteAccountSessions(tx: Db, accountId: string): Promise<void> {
  await tx.deleteFrom("sessions").where("account_id", "=", accountId).execute();
}

/** Deletes up to `limit` sessions that have expired at `now`, and returns their number. Old ones are refused, and become unused too. */
export async function deleteExpiredSessions(tx: Db, now: number, limit: number): Promise<number> {
  const oldest = now - SESSION_IDLE_TIMEOUT_MS;
  return deleteSelected(
    tx,
    "sessions",
    sql`where last_seen_time < ${oldest} order by last_seen_time limit ${limit}`,
  );
}

/** Deletes the sessions of an account beyond its newest `maxCount` ones, at most `maxCount` at a time. */
export async function deleteOldestSessions(tx: Db, accountId: string, maxCount: number): Promise<void> {
  // SQLite allows an offset only with a limit.
  const oldest = sql`where account_id = ${accountId}
    order by created_time desc limit ${maxCount} offset ${maxCount}`;
  await deleteSelected(tx, "sessions", oldest);
}
