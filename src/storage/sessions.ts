import type { Kysely } from "kysely";
import type { Plan } from "../domain/limits.js";
import type { Role } from "./account-tables.js";
import { compileOnce } from "./compile-once.js";
import type { Tables } from "./tables.js";

/** Somebody who is signed in, and the workspace that the pages are about. Times are milliseconds since 1970. */
export interface StoredSession {
  readonly hash: string;
  readonly csrfToken: string;
  readonly createdTime: number;
  readonly lastSeenTime: number;
  readonly accountId: string;
  readonly accountName: string;
  readonly email: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly plan: Plan;
  readonly ownLimit: number | null;
  readonly role: Role;
}

const selectSession = compileOnce((db, hash: string) =>
  db
    .selectFrom("sessions as s")
    .innerJoin("accounts as a", "a.id", "s.account_id")
    .innerJoin("workspaces as w", "w.id", "s.workspace_id")
    // Who was taken out of a workspace has no session for it any more.
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
      "w.request_limit as ownLimit",
      "m.role",
    ])
    .where("s.hash", "=", hash),
);

/** Reads a session by the hash of its token; undefined when there is none, or its account left the workspace. */
export async function findSession(db: Kysely<Tables>, hash: string): Promise<StoredSession | undefined> {
  const [row] = await selectSession(db, hash);
  return row;
}

/** Adds a session. */
export async function insertSession(
  tx: Kysely<Tables>,
  session: { hash: string; accountId: string; workspaceId: string; csrfToken: string },
  time: number,
): Promise<void> {
  await tx
    .insertInto("sessions")
    .values({
      hash: session.hash,
      account_id: session.accountId,
      workspace_id: session.workspaceId,
      csrf_token: session.csrfToken,
      created_time: time,
      last_seen_time: time,
    })
    .execute();
}

/** Notes that a session was used. */
export async function setSessionSeen(tx: Kysely<Tables>, hash: string, time: number): Promise<void> {
  await tx.updateTable("sessions").set({ last_seen_time: time }).where("hash", "=", hash).execute();
}

/** Makes a session about another workspace. */
export async function setSessionWorkspace(
  tx: Kysely<Tables>,
  hash: string,
  workspaceId: string,
): Promise<void> {
  await tx.updateTable("sessions").set({ workspace_id: workspaceId }).where("hash", "=", hash).execute();
}

/** Ends a session. */
export async function deleteSession(tx: Kysely<Tables>, hash: string): Promise<void> {
  await tx.deleteFrom("sessions").where("hash", "=", hash).execute();
}

/** Ends all sessions of an account. */
export async function deleteAccountSessions(tx: Kysely<Tables>, accountId: string): Promise<void> {
  await tx.deleteFrom("sessions").where("account_id", "=", accountId).execute();
}

/** Forgets the sessions that were not used since a time, or were begun before another. */
export async function deleteSessions(
  tx: Kysely<Tables>,
  unusedSince: number,
  begunBefore: number,
): Promise<void> {
  await tx
    .deleteFrom("sessions")
    .where((where) =>
      where.or([where("last_seen_time", "<", unusedSince), where("created_time", "<", begunBefore)]),
    )
    .execute();
}
