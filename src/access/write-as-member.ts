import { UserError } from "../errors.js";
import { findMember } from "../storage/access/accounts.js";
import type { Store } from "../storage/engine/store.js";
import type { StorageScope } from "../storage/tables.js";
import type { ActingSession } from "./audit.js";

/**
 * Runs a transaction in the workspace of a session. Throws a UserError when the account is not a member any more, because it can be
 * removed between the reading of its session and the transaction.
 */
export function writeAsMember<Result>(
  store: Store,
  { workspaceId, accountId }: ActingSession,
  work: (scope: StorageScope) => Promise<Result>,
): Promise<Result> {
  return store.write(workspaceId, async (scope) => {
    if ((await findMember(scope, accountId)) === undefined) {
      throw new UserError("You are not a member of this workspace any more.");
    }
    return work(scope);
  });
}
