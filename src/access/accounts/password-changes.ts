import { HOUR_MS } from "../../units.js";
import {
  type AccountIdentity,
  findAccount,
  findAccountByEmail,
  setPasswordHash,
} from "../../storage/access/accounts.js";
import {
  deletePasswordReset,
  findAccountOfReset,
  replacePasswordReset,
} from "../../storage/access/password-resets.js";
import { deleteAccountSessions } from "../../storage/access/sessions.js";
import type { Store } from "../../storage/engine/store.js";
import type { Db } from "../../storage/tables.js";
import { checkFields, normalizeEmail } from "../checks.js";
import { UserError } from "../../errors.js";
import { auditInWorkspaces, checkAccountChangeLimit, getAccountActor, OPERATOR } from "../audit.js";
import { describeInvalidPassword, hashPassword, verifyPassword } from "./passwords.js";
import { beginSession, type Session, type SessionTokens } from "./sessions.js";
import { beginWorkspaceSession, type Registration } from "./sign-in.js";
import { hashToken, newToken } from "./tokens.js";

/** Time for which a reset link is valid. `page-service users reset-password` prints it. */
const RESET_TTL_MS = HOUR_MS;

/**
 * Changes the password of a session's account, ends all sessions of the account, and begins a new one. Returns the tokens of the
 * new session, or undefined when the current password is wrong. The new password must be valid. Throws a UserError when the password
 * has changed in the meantime, and a TooManyAttemptsError, see checkAccountChangeLimit.
 *
 * @param clientKey network of the client, which waits for its turn of hashing
 */
export async function changePassword(
  store: Store,
  session: Session,
  passwords: { readonly current: string; readonly new: string },
  clientKey: string,
): Promise<SessionTokens | undefined> {
  const account = await findAccount(store.read, session.accountId);
  const client = { key: clientKey, isKnown: true };
  if (!(await verifyPassword(passwords.current, account?.passwordHash, client)) || account === undefined) {
    return undefined;
  }
  const passwordHash = await hashPassword(passwords.new, client);
  return store.writeServiceWide(async (tx) => {
    // Hashing takes time, so the password may have changed since.
    const latest = await findAccount(tx, account.id);
    if (latest?.passwordHash !== account.passwordHash) {
      throw new UserError("The password has changed in the meantime. Sign in with the new one.");
    }
    await checkAccountChangeLimit(tx, account.id, "password.changed");
    await replacePassword(tx, account, passwordHash, "password.changed");
    return beginSession(tx, { id: account.id, passwordHash }, session.workspaceId);
  });
}

/** Creates a reset link, which replaces earlier ones, and returns its token. Throws a UserError for an unknown address. */
export function createPasswordReset(store: Store, email: string): Promise<string> {
  const token = newToken();
  return store.writeServiceWide(async (tx) => {
    const account = await findAccountByEmail(tx, normalizeEmail(email));
    if (account === undefined) {
      throw new UserError(
        `No account has the e-mail address ${email}. Check the spelling, or invite the person with \`page-service users invite\`.`,
      );
    }
    const expiresTime = Date.now() + RESET_TTL_MS;
    await replacePasswordReset(tx, { accountId: account.id, hash: hashToken(token), expiresTime });
    await auditInWorkspaces(tx, account, OPERATOR, { action: "password.link_created" });
    return token;
  });
}

/** Reads the account of a reset link; undefined when the link is unknown, used or expired. */
export function readAccountOfReset(store: Store, token: string): Promise<AccountIdentity | undefined> {
  return findAccountOfReset(store.read, hashToken(token), Date.now());
}

/**
 * Sets the password of the account of a reset link, deletes the link, ends all sessions of the account and begins a new one, see
 * beginWorkspaceSession. Returns undefined if no session begins, because the account has no workspace. Throws a UserError when the
 * link or the password is invalid.
 */
export async function resetPassword(
  store: Store,
  { token, password }: { readonly token: string; readonly password: string },
  { registration, clientKey }: { readonly registration: Registration; readonly clientKey: string },
): Promise<SessionTokens | undefined> {
  // Avoids expensive hashing for an invalid link. The transaction below checks the link again.
  const found = await readAccountOfReset(store, token);
  if (found === undefined) throw createInvalidLinkError();
  checkFields({ password: describeInvalidPassword(password, found.email) });
  const passwordHash = await hashPassword(password, { key: clientKey, isKnown: true });
  return store.writeServiceWide(async (tx) => {
    const account = await findAccountOfReset(tx, hashToken(token), Date.now());
    if (account === undefined) throw createInvalidLinkError();
    await replacePassword(tx, account, passwordHash, "password.reset");
    return beginWorkspaceSession(tx, { ...account, passwordHash }, undefined, registration);
  });
}

async function replacePassword(
  tx: Db,
  account: AccountIdentity,
  passwordHash: string,
  action: "password.changed" | "password.reset",
): Promise<void> {
  await setPasswordHash(tx, account.id, passwordHash);
  await deleteAccountSessions(tx, account.id);
  await deletePasswordReset(tx, account.id);
  await auditInWorkspaces(tx, account, getAccountActor(account), { action });
}

function createInvalidLinkError(): UserError {
  return new UserError("This link is no longer valid. Ask for a new one.");
}
