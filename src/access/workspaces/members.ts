import { MAX_REVOKED_KEYS, MAX_SETTINGS_ROWS } from "../../budgets.js";
import type { TimePosition } from "../../domain/cursor.js";
import { getRequestLimit } from "../../domain/plans.js";
import type { User } from "../../domain/user.js";
import type { Role } from "../../storage/access/tables.js";
import {
  type AccountIdentity,
  deleteMember,
  insertMember,
  findMember,
  findMembers,
  findMemberships,
  hasOtherOwner,
  type Member,
  type Membership,
  setAccountName,
  setMemberRole,
} from "../../storage/access/accounts.js";
import { type Actor, insertAuditEvent } from "../../storage/access/audit.js";
import { deleteInvitationsOfMember } from "../../storage/access/invitations.js";
import { findActiveKeysOfFormerMember, findFormerMemberWithKeys } from "../../storage/access/keys.js";
import type { Store } from "../../storage/engine/store.js";
import { findWorkspaceOfObject } from "../../storage/objects/objects.js";
import { BEFORE_FIRST_ID } from "../../storage/sql-helpers.js";
import type { Db, StorageScope } from "../../storage/tables.js";
import { findPersonByEmail, findUser, insertUser, setPersonName, setUserName } from "../../storage/users.js";
import {
  type ActingSession,
  auditInWorkspaces,
  checkAccountChangeLimit,
  getAccountActor,
  toAccountSubject,
  getSessionActor,
} from "../audit.js";
import type { Principal } from "../keys/authenticate.js";
import { checkName } from "../checks.js";
import { UserError } from "../../errors.js";
import { redeemInvitation } from "./invitations.js";
import { revokeKey } from "../keys/keys.js";
import { type Session, switchWorkspace } from "../accounts/sessions.js";
import { writeAsMember } from "./write-as-member.js";

export type { Member, Membership };

/** Finds the principal of a signed-in member: its user in the workspace, with full access. */
export async function findMemberPrincipal(store: Store, session: Session): Promise<Principal> {
  const { workspaceId, workspaceName, plan, customRequestLimit, accountId, email } = session;
  const person = await findUserOfAccount({ db: store.read, workspaceId }, { id: accountId, email });
  return {
    userId: person?.id ?? accountId,
    workspaceId,
    workspaceName,
    plan,
    requestLimit: getRequestLimit(plan, customRequestLimit),
    readOnly: false,
    // Not needed, because members write through forms that create no content.
    countedBytes: 0,
    writtenBytes: 0,
  };
}

/** Lists the first MAX_SETTINGS_ROWS workspaces of an account, in the order in which it joined them. */
export function listMemberships(store: Store, accountId: string): Promise<Membership[]> {
  return findMemberships(store.read, accountId, MAX_SETTINGS_ROWS);
}

/** Finds which of a person's memberships gives access to a page, database or block; undefined when none does. */
export async function findMembershipOfObject(
  store: Store,
  memberships: readonly Membership[],
  objectId: string,
): Promise<Membership | undefined> {
  const ids = memberships.map(({ workspaceId }) => workspaceId);
  const workspaceId = await findWorkspaceOfObject(store.read, objectId, ids);
  return memberships.find((membership) => membership.workspaceId === workspaceId);
}

export async function isMember(store: Store, workspaceId: string, accountId: string): Promise<boolean> {
  return (await findMember({ db: store.read, workspaceId }, accountId)) !== undefined;
}

/** Lists up to `limit` members of a workspace in the order in which they joined, from the beginning or after a position. */
export function listMembers(
  store: Store,
  workspaceId: string,
  after: TimePosition | undefined,
  limit: number,
): Promise<Member[]> {
  return findMembers({ db: store.read, workspaceId }, after, limit);
}

/** Makes an account a member or owner by an invitation, and returns the workspace's id. Throws a UserError for an invalid one. */
export async function acceptInvitation(tx: Db, account: AccountIdentity, token: string): Promise<string> {
  const { workspaceId, role } = await redeemInvitation(tx, token);
  const scope = { db: tx, workspaceId };
  const member = await findMember(scope, account.id);
  if (member === undefined) await addMember(scope, account, role);
  else if (role === "owner" && member.role !== "owner") await promoteMember(scope, account);
  return workspaceId;
}

/** Adds a session's account to the workspace of an invitation, see acceptInvitation, and switches the session to it. */
export async function joinWorkspace(store: Store, session: Session, token: string): Promise<void> {
  const account = { id: session.accountId, name: session.accountName, email: session.email };
  const workspaceId = await store.writeServiceWide((tx) => acceptInvitation(tx, account, token));
  await switchWorkspace(store, session, workspaceId);
}

/**
 * Adds an account to a workspace, and creates a user for it, whom pages can mention. If a person of the workspace has the same
 * e-mail address, the account gets this user instead, because invited members are trusted.
 */
export async function addMember(scope: StorageScope, account: AccountIdentity, role: Role): Promise<void> {
  const now = Date.now();
  await insertMember(scope, account.id, role, now);
  const { id, name, email } = account;
  const user = await findUserOfAccount(scope, account);
  if (user === undefined) {
    await insertUser(scope, { id, type: "person", name, email, avatarUrl: null, createdTime: now });
  } else if (user.name !== name) {
    await setUserName(scope, user.id, name);
  }
  const detail =
    user === undefined || user.id === id
      ? `as ${role}`
      : `as ${role}, with the existing user of this e-mail address`;
  const event = { action: "member.joined", ...toAccountSubject(account), detail } as const;
  await insertAuditEvent(scope, getAccountActor(account), event);
}

/**
 * Changes the name of a session's account, and of its users in its first MAX_SETTINGS_ROWS workspaces. Throws a UserError for an
 * invalid name, and a TooManyAttemptsError, see checkAccountChangeLimit.
 */
export async function renameAccount(store: Store, session: Session, name: string): Promise<void> {
  const { accountId, accountName, email } = session;
  checkName("you", name);
  if (name === accountName) return;
  const account = { id: accountId, name, email };
  const change = { action: "member.renamed", detail: `from ${accountName}` } as const;
  await store.writeServiceWide(async (tx) => {
    await checkAccountChangeLimit(tx, accountId, change.action);
    await setAccountName(tx, accountId, name);
    const workspaceIds = await auditInWorkspaces(tx, account, getAccountActor(account), change);
    await setPersonName(tx, workspaceIds, email, name);
  });
}

/** Finds the user of an account in a workspace, see addMember. A former member has one too. */
async function findUserOfAccount(
  scope: StorageScope,
  { id, email }: Pick<AccountIdentity, "id" | "email">,
): Promise<User | undefined> {
  const user = await findUser(scope, id);
  // A bot with this id would let the holder of its key act as the account.
  return user?.type === "person" ? user : findPersonByEmail(scope, email);
}

async function promoteMember(scope: StorageScope, account: AccountIdentity): Promise<void> {
  await setMemberRole(scope, account.id, "owner");
  const event = { action: "member.promoted", ...toAccountSubject(account) } as const;
  await insertAuditEvent(scope, getAccountActor(account), event);
}

/** Removes a member with its invitations and, if `revokeKeys` is set, its keys. Throws a UserError for the last owner. */
export async function removeMember(
  store: Store,
  session: ActingSession,
  accountId: string,
  revokeKeys: boolean,
): Promise<void> {
  await writeAsMember(store, session, async (scope, actor) => {
    const member = await findMember(scope, accountId);
    if (member === undefined) return;
    if (member.role === "owner" && !(await hasOtherOwner(scope, accountId))) {
      throw new UserError("A workspace needs at least one owner. Invite another owner first.");
    }
    await deleteMember(scope, accountId);
    // Otherwise the former member could return with one of them.
    await deleteInvitationsOfMember(scope, accountId);
    await insertAuditEvent(scope, actor, { action: "member.removed", ...toAccountSubject(member) });
  });
  let hasMore = revokeKeys;
  while (hasMore) {
    // Not with writeAsMember, because members can remove themselves.
    hasMore = await store.write(session.workspaceId, (scope) =>
      revokeSomeKeys(scope, accountId, getSessionActor(session)),
    );
  }
}

/** Whether people who are no longer members have active keys in a workspace. */
export async function hasKeysOfFormerMembers(store: Store, workspaceId: string): Promise<boolean> {
  const scope = { db: store.read, workspaceId };
  return (await findFormerMemberWithKeys(scope, BEFORE_FIRST_ID, Date.now())) !== undefined;
}

/** Revokes the active keys of all former members. Throws a UserError when the session's account is not a member any more. */
export async function revokeKeysOfFormerMembers(store: Store, session: ActingSession): Promise<void> {
  const readScope = { db: store.read, workspaceId: session.workspaceId };
  let creatorId = await findFormerMemberWithKeys(readScope, BEFORE_FIRST_ID, Date.now());
  while (creatorId !== undefined) {
    const id = creatorId;
    let hasMore = true;
    while (hasMore)
      hasMore = await writeAsMember(store, session, (scope, actor) => revokeSomeKeys(scope, id, actor));
    creatorId = await findFormerMemberWithKeys(readScope, id, Date.now());
  }
}

/** Revokes up to MAX_REVOKED_KEYS active keys of a former member. Returns whether the former member can have more. */
async function revokeSomeKeys(scope: StorageScope, creatorId: string, actor: Actor): Promise<boolean> {
  const keys = await findActiveKeysOfFormerMember(scope, creatorId, Date.now(), MAX_REVOKED_KEYS);
  for (const key of keys) await revokeKey(scope, key, actor);
  return keys.length === MAX_REVOKED_KEYS;
}
