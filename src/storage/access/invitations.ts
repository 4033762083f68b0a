import { sql } from "kysely";
import type { AccessTables } from "./tables.js";
import { type Entity, toCamelCase, toSnakeCase } from "../column-names.js";
import { deleteSelected, hasRows } from "../sql-helpers.js";
import type { Db, StorageScope } from "../tables.js";
import { deleteFrom, insertInto, selectFrom } from "../workspace-rows.js";
import { IS_VISIBLE } from "./workspaces.js";

/** A link with which one person joins a workspace, without its token. */
export interface Invitation extends Entity<Omit<AccessTables["invitations"], "hash">> {
  readonly workspaceName: string;
}

/** Inserts an invitation; `hash` is the SHA-256 of the link's token, hexadecimal. */
export async function insertInvitation(
  scope: StorageScope,
  invitation: Omit<Invitation, "workspaceId" | "workspaceName"> & { hash: string },
): Promise<void> {
  await insertInto(scope, "invitations", toSnakeCase(invitation)).execute();
}

/** Finds an unexpired invitation by the hash of its token. */
export async function findInvitationByHash(
  db: Db,
  hash: string,
  now: number,
): Promise<Invitation | undefined> {
  const row = await selectInvitations(db, now).where("i.hash", "=", hash).limit(1).executeTakeFirst();
  return row && toCamelCase(row, { omit: "hash" });
}

/** Reads up to `limit` unexpired invitations of a workspace, newest first, from the one after the id `after`, which can be empty. */
export async function findOpenInvitations(
  { db, workspaceId }: StorageScope,
  now: number,
  after: string,
  limit: number,
): Promise<Invitation[]> {
  const rows = await selectInvitations(db, now)
    .where("i.workspace_id", "=", workspaceId)
    .$if(after !== "", (query) => query.where("i.id", "<", after))
    .orderBy("i.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => toCamelCase(row, { omit: "hash" }));
}

/** Whether the workspace has an invitation with an ID, also one that has expired. */
export async function hasInvitation(scope: StorageScope, id: string): Promise<boolean> {
  return hasRows(selectFrom(scope, "invitations").select("id").where("id", "=", id));
}

/** Deletes an invitation; returns whether it existed. */
export async function deleteInvitation(scope: StorageScope, id: string): Promise<boolean> {
  const { numDeletedRows } = await deleteFrom(scope, "invitations").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes the invitations to a workspace that an account has created. */
export async function deleteInvitationsOfMember(scope: StorageScope, accountId: string): Promise<void> {
  await deleteFrom(scope, "invitations").where("created_by", "=", accountId).execute();
}

/** Deletes the invitations of a creator who is not an account, in all workspaces. */
export async function deleteInvitationsByCreator(tx: Db, createdBy: string): Promise<void> {
  await tx.deleteFrom("invitations").where("created_by", "=", createdBy).execute();
}

/** Deletes up to `limit` invitations of all workspaces that have expired at `now`, and returns their number. */
export async function deleteExpiredInvitations(tx: Db, now: number, limit: number): Promise<number> {
  const expired = sql`where expires_time <= ${now} order by expires_time limit ${limit}`;
  return deleteSelected(tx, "invitations", expired);
}

/** Selects the invitations that have not expired. */
function selectInvitations(db: Db, now: number) {
  return db
    .selectFrom("invitations as i")
    .innerJoin("workspaces as w", "w.id", "i.workspace_id")
    .selectAll("i")
    .select("w.name as workspaceName")
    .where("i.expires_time", ">", now)
    .where(IS_VISIBLE);
}
