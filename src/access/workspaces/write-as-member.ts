import { UserError } from "../../errors.js";
import { findMember } from "../../storage/access/accounts.js";
import type { Actor } from "../../storage/access/audit.js";
import type { Store } from "../../storage/engine/store.js";
import type { StorageScope } from "../../storage/tables.js";
import { type ActingSession, getSessionActor } from "../audit.js";

/** Runs a transaction in the workspace of a session, on behalf of its account. Throws a UserError, see requireMember. */
export function writeAsMember<Result>(
  store: Store,
  session: ActingSession,
  work: (scope: StorageScope, actor: Actor) => Promise<Result>,
): Promise<Result> {
  return store.write(session.workspaceId, async (scope) => {
    await requireMember(scope, session.accountId);
    return work(scope, getSessionActor(session));
  });
}

/**
 * Throws a UserError when an account is not a member of a workspace. Transactions check it, because a member can be removed after
 * the session of a request was read, for example while the body of a form arrives.
 */
export async function requireMember(scope: StorageScope, accountId: string): Promise<void> {
  if ((await findMember(scope, accountId)) === undefined)
    throw new UserError("You are not a member of this workspace any more.");
}
