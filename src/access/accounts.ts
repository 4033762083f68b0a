import type { Kysely } from "kysely";
import { newId } from "../domain/ids.js";
import {
  type Account,
  findAccount,
  findAccountByEmail,
  hasAccounts,
  insertAccount,
  insertMember,
  listMembers,
  listMemberships,
} from "../storage/accounts.js";
import type { Role } from "../storage/account-tables.js";
import { type Actor, insertAuditEvent } from "../storage/audit.js";
import { deleteInvitation, findInvitation, type Invitation } from "../storage/invitations.js";
import type { Store } from "../storage/store.js";
import type { Tables } from "../storage/tables.js";
import { findPersonByEmail, findUser, insertUser, setUserName } from "../storage/users.js";
import { listWorkspaces } from "../storage/workspaces.js";
import { checkEmail, checkName, normalEmail, ProvisionError } from "./checks.js";
import { checkPassword, hashPassword, verifyPassword } from "./passwords.js";
import { addWorkspace } from "./provision.js";
import { beginSession, hashToken } from "./sessions.js";

/** What somebody fills in to get an account. */
export interface SignUpForm {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** The token of an invitation's link; empty without. */
  readonly invitation: string;
}

/**
 * Makes an account and begins a session. With an invitation it joins that workspace. The first account of all owns the
 * workspace that there is already; others get one of their own.
 *
 * @returns The token of the session.
 * @throws ProvisionError when a field is not acceptable, the address has an account, or the invitation is not valid.
 */
export async function signUp(store: Store, form: SignUpForm): Promise<string> {
  const name = form.name.trim();
  const email = normalEmail(form.email);
  checkName("person", name);
  checkEmail(email);
  checkPassword(form.password);
  const passwordHash = await hashPassword(form.password);
  return store.write(async (tx) => {
    if (await findAccountByEmail(tx, email)) {
      throw new ProvisionError("There is an account with this e-mail address already. Sign in instead.");
    }
    const account: Account = { id: newId(), email, name, passwordHash, createdTime: Date.now() };
    const first = !(await hasAccounts(tx));
    await insertAccount(tx, account);
    return beginSession(tx, account.id, await placeOf(tx, account, form.invitation, first));
  });
}

/**
 * Begins a session for somebody who knows the password. Takes as long where there is no such account.
 *
 * @returns The token of the session; undefined when there is no account with that address and password.
 */
export async function signIn(store: Store, email: string, password: string): Promise<string | undefined> {
  const account = await findAccountByEmail(store.read, normalEmail(email));
  if (!(await verifyPassword(password, account?.passwordHash)) || account === undefined) return undefined;
  return store.write(async (tx) => {
    // While it was verified it may have become an old one.
    const known = await findAccount(tx, account.id);
    if (known?.passwordHash !== account.passwordHash) return undefined;
    return enterWorkspace(tx, account);
  });
}

/** Begins a session in the workspace that an account joined first, or in one of its own when it is in none any more. */
export async function enterWorkspace(
  tx: Kysely<Tables>,
  account: Pick<Account, "id" | "name" | "email">,
): Promise<string> {
  const [membership] = await listMemberships(tx, account.id);
  return beginSession(tx, account.id, membership?.workspaceId ?? (await ownWorkspace(tx, account)));
}

/** The invitation of a link; undefined when it was used, withdrawn or is over. */
export function readInvitation(store: Store, token: string): Promise<Invitation | undefined> {
  return findInvitation(store.read, hashToken(token), Date.now());
}

/**
 * Lets an account join the workspace of an invitation, which is used up by that.
 *
 * @returns The workspace's id.
 * @throws ProvisionError when the invitation is not valid any more.
 */
export async function acceptInvitation(
  tx: Kysely<Tables>,
  account: Pick<Account, "id" | "name" | "email">,
  token: string,
): Promise<string> {
  const invitation = await findInvitation(tx, hashToken(token), Date.now());
  if (invitation === undefined || !(await deleteInvitation(tx, invitation.workspaceId, invitation.id))) {
    throw new ProvisionError("This invitation is not valid any more. Ask for a new link.");
  }
  const { workspaceId, role } = invitation;
  const members = await listMembers(tx, workspaceId);
  if (!members.some(({ accountId }) => accountId === account.id)) await join(tx, account, workspaceId, role);
  return workspaceId;
}

/** Who a person is, for the log. */
export function actorOf(account: Pick<Account, "id" | "name">): Actor {
  return { type: "account", id: account.id, name: account.name };
}

/** The workspace that a new account begins in. */
async function placeOf(
  tx: Kysely<Tables>,
  account: Account,
  invitation: string,
  first: boolean,
): Promise<string> {
  if (invitation !== "") return acceptInvitation(tx, account, invitation);
  const [oldest] = first ? await listWorkspaces(tx) : [];
  if (oldest === undefined) return ownWorkspace(tx, account);
  await join(tx, account, oldest.id, "owner");
  return oldest.id;
}

async function ownWorkspace(
  tx: Kysely<Tables>,
  account: Pick<Account, "id" | "name" | "email">,
): Promise<string> {
  const name = `${account.name.slice(0, 80)}'s workspace`;
  const { id } = await addWorkspace(tx, name, account.id);
  await join(tx, account, id, "owner");
  return id;
}

/**
 * Makes an account a member; it is a user of the workspace from then on, whom pages can name. A person of the same
 * address whom the workspace has already is that user: whoever was let into the workspace is who they say they are there,
 * and nobody becomes a person of a workspace that they were not let into.
 */
async function join(
  tx: Kysely<Tables>,
  account: Pick<Account, "id" | "name" | "email">,
  workspaceId: string,
  role: Role,
): Promise<void> {
  const now = Date.now();
  await insertMember(tx, workspaceId, account.id, role, now);
  const { id, name, email } = account;
  // Who left and comes back is one already.
  const known = (await findUser(tx, workspaceId, id)) ?? (await findPersonByEmail(tx, workspaceId, email));
  if (known === undefined) {
    await insertUser(tx, workspaceId, { id, type: "person", name, email, avatarUrl: null, createdTime: now });
  } else if (known.name !== name) {
    await setUserName(tx, workspaceId, known.id, name);
  }
  const entry = {
    action: "member.joined",
    subjectId: account.id,
    subjectName: `${account.name} (${account.email})`,
    detail: known === undefined || known.id === id ? `as ${role}` : `as ${role}, who was a person already`,
  };
  await insertAuditEvent(tx, workspaceId, actorOf(account), entry, now);
}
