import { sql, type SqlBool } from "kysely";
import type { TimePosition } from "../../domain/cursor.js";
import type { AccessTables, Role } from "./tables.js";
import { type Entity, toSnakeCase } from "../column-names.js";
import { hasRows } from "../sql-helpers.js";
import type { Db, StorageScope } from "../tables.js";
import { deleteFrom, insertInto, updateTable } from "../workspace-rows.js";
import { IS_VISIBLE } from "./workspaces.js";

export type Account = Entity<AccessTables["accounts"]>;

/** A workspace of an account. */
export interface Membership {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly role: Role;
}

/** The fields of an account that identify its owner. */
export type AccountIdentity = Pick<Account, "id" | "name" | "email">;

/** An account of a workspace. `createdTime` is when it joined, in milliseconds since 1970. */
export interface Member extends AccountIdentity {
  readonly role: Role;
  readonly createdTime: number;
}

export async function hasAccounts(db: Db): Promise<boolean> {
  return hasRows(db.selectFrom("accounts").select("id"));
}

/** Finds an account by its e-mail address, which must be normalized. */
export async function findAccountByEmail(db: Db, email: string): Promise<Account | undefined> {
  return selectAccounts(db).where("email", "=", email).limit(1).executeTakeFirst();
}

export async function findAccount(db: Db, id: string): Promise<Account | undefined> {
  return selectAccounts(db).where("id", "=", id).limit(1).executeTakeFirst();
}

export async function setPasswordHash(tx: Db, id: string, passwordHash: string): Promise<void> {
  await tx.updateTable("accounts").set({ password_hash: passwordHash }).where("id", "=", id).execute();
}

export async function setAccountName(tx: Db, id: string, name: string): Promise<void> {
  await tx.updateTable("accounts").set({ name }).where("id", "=", id).execute();
}

export async function insertAccount(tx: Db, account: Account): Promise<void> {
  await tx.insertInto("accounts").values(toSnakeCase(account)).execute();
}

/** Reads the workspaces of an account, in the order in which it joined them, up to `limit`. */
export function findMemberships(db: Db, accountId: string, limit: number): Promise<Membership[]> {
  return db
    .selectFrom("members as m")
    .innerJoin("workspaces as w", "w.id", "m.workspace_id")
    .select(["w.id as workspaceId", "w.name as workspaceName", "m.role"])
    .where("m.account_id", "=", accountId)
    .where(IS_VISIBLE)
    .orderBy("m.created_time")
    .orderBy("w.id")
    .limit(limit)
    .execute();
}

/** Reads up to `limit` members of a workspace in the order in which they joined, from the beginning or after a position. */
export async function findMembers(
  scope: StorageScope,
  after: TimePosition | undefined,
  limit: number,
): Promise<Member[]> {
  const members = selectMembers(scope).orderBy("m.created_time").orderBy("m.account_id").limit(limit);
  if (after === undefined) return members.execute();
  return members.where(sql<SqlBool>`(m.created_time, m.account_id) > (${after.time}, ${after.id})`).execute();
}

export async function findMember(scope: StorageScope, accountId: string): Promise<Member | undefined> {
  return selectMembers(scope).where("m.account_id", "=", accountId).limit(1).executeTakeFirst();
}

/** Whether a workspace has an owner other than the given account. */
export async function hasOtherOwner(scope: StorageScope, accountId: string): Promise<boolean> {
  return hasRows(selectMembers(scope).where("m.role", "=", "owner").where("m.account_id", "!=", accountId));
}

export async function insertMember(
  scope: StorageScope,
  accountId: string,
  role: Role,
  time: number,
): Promise<void> {
  await insertInto(scope, "members", { account_id: accountId, role, created_time: time }).execute();
}

export async function setMemberRole(scope: StorageScope, accountId: string, role: Role): Promise<void> {
  await updateTable(scope, "members").set({ role }).where("account_id", "=", accountId).execute();
}

export async function deleteMember(scope: StorageScope, accountId: string): Promise<void> {
  await deleteFrom(scope, "members").where("account_id", "=", accountId).execute();
}

function selectMembers({ db, workspaceId }: StorageScope) {
  return db
    .selectFrom("members as m")
    .innerJoin("accounts as a", "a.id", "m.account_id")
    .innerJoin("workspaces as w", "w.id", "m.workspace_id")
    .select(["a.id", "a.name", "a.email", "m.role", "m.created_time as createdTime"])
    .where("m.workspace_id", "=", workspaceId)
    .where(IS_VISIBLE);
}

function selectAccounts(db: Db) {
  return db
    .selectFrom("accounts")
    .select(["id", "email", "name", "password_hash as passwordHash", "created_time as createdTime"]);
}
