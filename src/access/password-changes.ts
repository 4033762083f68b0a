import type { Kysely } from "kysely";
import {
  type Account,
  findAccount,
  findAccountByEmail,
  listMemberships,
  setPasswordHash,
} from "../storage/accounts.js";
import { type Actor, insertAuditEvent } from "../storage/audit.js";
import {
  deletePasswordReset,
  findPasswordReset,
  type PasswordReset,
  putPasswordReset,
} from "../storage/password-resets.js";
import { deleteAccountSessions, type StoredSession } from "../storage/sessions.js";
import type { Store } from "../storage/store.js";
import type { Tables } from "../storage/tables.js";
import { actorOf, enterWorkspace } from "./accounts.js";
import { normalEmail, ProvisionError } from "./checks.js";
import { OPERATOR } from "./keys.js";
import { checkPassword, hashPassword, verifyPassword } from "./passwords.js";
import { beginSession, hashToken, newToken } from "./sessions.js";

/** Milliseconds that a link for a new password works: an hour. */
const RESET_LIFE = 3_600_000;

/**
 * Changes the password of somebody who is signed in and knows the present one. All their sessions end.
 *
 * @returns The token of the session that takes the place of this one.
 * @throws ProvisionError when the present password is not right, or the new one not acceptable.
 */
export async function changePassword(
  store: Store,
  session: StoredSession,
  passwords: { readonly present: string; readonly next: string },
): Promise<string> {
  const account = await findAccount(store.read, session.accountId);
  if (!(await verifyPassword(passwords.present, account?.passwordHash)) || account === undefined) {
    throw new ProvisionError("The present password is not right.");
  }
  checkPassword(passwords.next);
  if (passwords.next === passwords.present) {
    throw new ProvisionError("The new password is the present one. Choose another.");
  }
  const passwordHash = await hashPassword(passwords.next);
  return store.write(async (tx) => {
    // While the hash was made it may have become an old one.
    const known = await findAccount(tx, account.id);
    if (known?.passwordHash !== account.passwordHash) {
      throw new ProvisionError("The password was changed meanwhile. Sign in with the new one.");
    }
    await replacePassword(tx, account, passwordHash, "password.changed");
    return beginSession(tx, account.id, session.workspaceId);
  });
}

/**
 * Makes a link's token by which somebody who forgot their password chooses another, once, within an hour. It is for the
 * operator, who has to know whom to give it to.
 *
 * @returns The token, which is stored nowhere.
 * @throws ProvisionError when nobody has an account with that address.
 */
export function allowPasswordReset(store: Store, email: string): Promise<string> {
  const token = newToken();
  return store.write(async (tx) => {
    const account = await findAccountByEmail(tx, normalEmail(email));
    if (account === undefined) {
      throw new ProvisionError(`Nobody has an account with the address ${email}. They can sign up.`);
    }
    const expiresTime = Date.now() + RESET_LIFE;
    await putPasswordReset(tx, { accountId: account.id, hash: hashToken(token), expiresTime });
    await logEverywhere(tx, account, OPERATOR, "password.link_made");
    return token;
  });
}

/** Whose password the link of a token is for; undefined when it was used, or is over. */
export function readPasswordReset(store: Store, token: string): Promise<PasswordReset | undefined> {
  return findPasswordReset(store.read, hashToken(token), Date.now());
}

/**
 * Gives somebody who has a link another password, which uses the link up. All their sessions end.
 *
 * @returns The token of a new session.
 * @throws ProvisionError when the link is not valid any more, or the password not acceptable.
 */
export async function resetPassword(store: Store, token: string, password: string): Promise<string> {
  checkPassword(password);
  // Before the work of hashing, which who has no link does not get.
  if ((await readPasswordReset(store, token)) === undefined) throw notValid();
  const passwordHash = await hashPassword(password);
  return store.write(async (tx) => {
    const reset = await findPasswordReset(tx, hashToken(token), Date.now());
    if (reset === undefined) throw notValid();
    const account = { id: reset.accountId, name: reset.name, email: reset.email };
    await replacePassword(tx, account, passwordHash, "password.reset");
    return enterWorkspace(tx, account);
  });
}

type Person = Pick<Account, "id" | "name" | "email">;

async function replacePassword(
  tx: Kysely<Tables>,
  account: Person,
  passwordHash: string,
  action: string,
): Promise<void> {
  await setPasswordHash(tx, account.id, passwordHash);
  await deleteAccountSessions(tx, account.id);
  await deletePasswordReset(tx, account.id);
  await logEverywhere(tx, account, actorOf(account), action);
}

/** Notes something about an account in the log of every workspace that it is in: what it may do there is at stake. */
async function logEverywhere(
  tx: Kysely<Tables>,
  account: Person,
  actor: Actor,
  action: string,
): Promise<void> {
  const subjectName = `${account.name} (${account.email})`;
  const entry = { action, subjectId: account.id, subjectName, detail: "" };
  for (const { workspaceId } of await listMemberships(tx, account.id)) {
    await insertAuditEvent(tx, workspaceId, actor, entry, Date.now());
  }
}

function notValid(): ProvisionError {
  return new ProvisionError("This link is not valid any more. Ask for a new one.");
}
