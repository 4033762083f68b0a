import { newId } from "../../domain/ids.js";
import {
  type Account,
  findAccountByEmail,
  hasAccounts,
  insertAccount,
} from "../../storage/access/accounts.js";
import { findInvitationByHash } from "../../storage/access/invitations.js";
import type { Store } from "../../storage/engine/store.js";
import type { Db } from "../../storage/tables.js";
import { checkFields, describeInvalidEmail, describeInvalidName, normalizeEmail } from "../checks.js";
import { UserError } from "../../errors.js";
import { createInvalidInvitationError } from "../workspaces/invitations.js";
import { describeInvalidPassword, hashPassword } from "./passwords.js";
import { beginWorkspaceSession, type Registration } from "./sign-in.js";
import type { SessionTokens } from "./sessions.js";
import { hashToken } from "./tokens.js";

export interface SignUpForm {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** Token of an invitation; undefined if there is none. */
  readonly invitationToken: string | undefined;
}

interface SignUpContext {
  readonly registration: Registration;
  /** Key by which clients take turns in hashing passwords. */
  readonly clientKey: string;
  /** Called when the fields and the invitation are valid, before the password is hashed. */
  readonly checkRateLimit: () => Promise<void>;
}

/**
 * Creates an account. Begins a session only for the first account of the service. Returns undefined for all others, even if the
 * e-mail address is in use, so that the result does not reveal existing accounts. Throws a UserError when a field or the
 * invitation is invalid, or registration is not allowed.
 */
export async function signUp(
  store: Store,
  form: SignUpForm,
  { registration, clientKey, checkRateLimit }: SignUpContext,
): Promise<SessionTokens | undefined> {
  const name = form.name.trim();
  const email = normalizeEmail(form.email);
  checkFields({
    name: describeInvalidName("you", name),
    email: describeInvalidEmail(email),
    password: describeInvalidPassword(form.password, email),
  });
  // Avoids expensive hashing if registration is not allowed. The transaction below checks it again.
  await checkRegistration(store.read, form.invitationToken, registration);
  await checkRateLimit();
  const passwordHash = await hashPassword(form.password, { key: clientKey, isKnown: false });
  return store.writeServiceWide(async (tx) => {
    await checkRegistration(tx, form.invitationToken, registration);
    const isFirst = !(await hasAccounts(tx));
    if (await findAccountByEmail(tx, email)) return undefined;
    const account: Account = { id: newId(), email, name, passwordHash, createdTime: Date.now() };
    await insertAccount(tx, account);
    if (!isFirst) return undefined;
    return beginWorkspaceSession(tx, account, form.invitationToken, registration);
  });
}

/** Whether people can create an account with an invitation. With the registration "closed", only the first person can. */
export async function acceptsInvitations(
  registration: Registration,
  isServiceInUse: () => Promise<boolean>,
): Promise<boolean> {
  return registration !== "closed" || !(await isServiceInUse());
}

async function checkRegistration(
  db: Db,
  invitationToken: string | undefined,
  registration: Registration,
): Promise<void> {
  if (registration === "open" && invitationToken === undefined) return;
  if (!(await acceptsInvitations(registration, () => hasAccounts(db))))
    throw new UserError("Registration is closed on this service.");
  if (invitationToken === undefined) {
    throw new UserError(
      "You need an invitation to create an account. Ask an owner of a workspace for a link.",
    );
  }
  if (!(await findInvitationByHash(db, hashToken(invitationToken), Date.now())))
    throw createInvalidInvitationError();
}
