import {
  type Account,
  type AccountIdentity,
  findAccount,
  findMemberships,
} from "../../storage/access/accounts.js";
import type { Store } from "../../storage/engine/store.js";
import { truncate } from "../../domain/text.js";
import type { Db } from "../../storage/tables.js";
import { UserError } from "../../errors.js";
import { acceptInvitation, addMember } from "../workspaces/members.js";
import { createAccountWorkspace } from "../workspaces/new-workspace.js";
import { type HashClient, verifyPassword } from "./passwords.js";
import { beginSession, type SessionTokens } from "./sessions.js";

/** Policy for new accounts: for anybody, with an invitation, or for nobody. Unless it is "open", the first one needs a setup link. */
export type Registration = "open" | "invite" | "closed";

export interface SignInForm {
  readonly password: string;
  /** Token of the invitation that an account without a workspace accepts by signing in; undefined if there is none. */
  readonly invitationToken: string | undefined;
}

interface SignInContext {
  readonly registration: Registration;
  /** The client that waits for its turn to hash a password. */
  readonly client: HashClient;
  /** Called before a workspace is created for an account that has none. */
  readonly checkRateLimit: () => Promise<void>;
}

/**
 * Begins a session of an account. Returns undefined when the password is wrong or `account` is undefined, because no account has the
 * e-mail address; both take the same time. Throws a UserError when the account has no workspace and cannot get one.
 */
export async function signIn(
  store: Store,
  account: Account | undefined,
  form: SignInForm,
  { registration, client, checkRateLimit }: SignInContext,
): Promise<SessionTokens | undefined> {
  // Verifies the password even if there is no account, so that the time does not reveal which accounts exist.
  if (!(await verifyPassword(form.password, account?.passwordHash, client)) || account === undefined) {
    return undefined;
  }
  const begin = async (tx: Db, invitationToken: string | undefined, policy: Registration) => {
    // Verifying takes time, so the password may have changed since.
    const latest = await findAccount(tx, account.id);
    if (latest?.passwordHash !== account.passwordHash) return undefined;
    const tokens = await beginWorkspaceSession(tx, account, invitationToken, policy);
    if (tokens === undefined) {
      throw new UserError(
        "Your account has no workspace. You did not join one yet, or were removed from it. Open your invitation link, or ask an owner for a new one.",
      );
    }
    return tokens;
  };
  if ((await findMemberships(store.read, account.id, 1)).length > 0) {
    // Only a session begins. It must not invalidate the cached responses of all workspaces.
    return store.writeWithoutInvalidation((tx) => begin(tx, undefined, "closed"));
  }
  if (registration === "open" && form.invitationToken === undefined) await checkRateLimit();
  return store.writeServiceWide((tx) => begin(tx, form.invitationToken, registration));
}

/**
 * Begins a session in the first workspace of an account. An account without a workspace accepts the invitation, if there is one,
 * or gets a new workspace if registration is open. Returns undefined if the account still has no workspace. Throws a UserError for
 * an invalid invitation.
 */
export async function beginWorkspaceSession(
  tx: Db,
  account: AccountIdentity & Pick<Account, "passwordHash">,
  invitationToken: string | undefined,
  registration: Registration,
): Promise<SessionTokens | undefined> {
  const [membership] = await findMemberships(tx, account.id, 1);
  let workspaceId = membership?.workspaceId;
  if (workspaceId === undefined && invitationToken !== undefined) {
    workspaceId = await acceptInvitation(tx, account, invitationToken);
  }
  if (workspaceId === undefined && registration === "open")
    workspaceId = await createOwnedWorkspace(tx, account);
  if (workspaceId === undefined) return undefined;
  return beginSession(tx, account, workspaceId);
}

async function createOwnedWorkspace(tx: Db, account: AccountIdentity): Promise<string> {
  const { id } = await createAccountWorkspace(tx, `${truncate(account.name, 75)}'s workspace`, account.id);
  await addMember({ db: tx, workspaceId: id }, account, "owner");
  return id;
}
