import type { Role } from "../account-tables.js";
import { toSnakeCase } from "../snake-case.js";
import type { Db, StorageScope } from "../tables.js";
import { deleteFrom, insertInto } from "../workspace-rows.js";

/** A link with which one person joins a workspace. Times are milliseconds since 1970. */
export interface Invitation {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly id: string;
  readonly role: Role;
  /** Id of the account that created the invitation, "operator" for commands, or "setup" for setup links. */
  readonly createdBy: string;
  readonly createdTime: number;
  readonly expiresTime: number;
}

/** Inserts an invitation; `hash` is the SHA-256 of the link's token. */
export async function insertInvitation(
  scope: StorageScope,
  invitation: Omit<Invitation, "workspaceId" | "workspaceName"> & { hash: string },
): Promise<void> {
  await insertInto(scope, "invitations", toSnakeCase(invitation)).execute();
}

/** Finds an unexpired invitation by the hash of its token. */
export async function findInvitation(db: Db, hash: string, now: number): Promise<Invitation | undefined> {
  return selectInvitations(db)
    .where("i.hash", "=", hash)
    .where("i.expires_time", ">", now)
    .limit(1)
    .executeTakeFirst();
}

/** Reads the unexpired invitations of a workspace, newest first. */
export function findInvitations(scope: StorageScope, now: number, limit: number): Promise<Invitation[]> {
  return selectInvitations(scope.db)
    .where("i.workspace_id", "=", scope.workspaceId)
    .where("i.expires_time", ">", now)
    .orderBy("i.id", "desc")
    .limit(limit)
    .execute();
}

/** Deletes an invitation; returns whether it existed. */
export async function deleteInvitation(scope: StorageScope, id: string): Promise<boolean> {
  const { numDeletedRows } = await deleteFrom(scope, "invitations").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteInvitationsByCreator(tx: Db, createdBy: string): Promise<void> {
  await tx.deleteFrom("invitations").where("created_by", "=", createdBy).execute();
}

function selectInvitations(db: Db) {
  return db
    .selectFrom("invitations as i")
    .innerJoin("workspaces as w", "w.id", "i.workspace_id")
    .select([
      "i.workspace_id as workspaceId",
      "w.name as workspaceName",
      "i.id",
      "i.role",
      "i.created_by as createdBy",
      "i.created_time as createdTime",
      "i.expires_time as expiresTime",
    ]);
}
