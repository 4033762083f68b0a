import { DAY_MS, MAX_ACCESS_CHANGES_PER_DAY } from "../budgets.js";
import { type Actor, findNthNewestTime } from "../storage/accounts/audit.js";
import type { StorageScope } from "../storage/tables.js";
import { TooManyAttemptsError } from "./errors.js";

/** Actions that add a row to the settings pages. Opposite actions such as revoking need no limit, because each key has one. */
const COUNTED_ACTIONS = ["key.created", "key.rotated", "member.invited"];

/** Throws TooManyAttemptsError when an account has created too many keys and invitations in a workspace within a day. */
export async function checkAccessChangeLimit(scope: StorageScope, { id }: Actor): Promise<void> {
  // The operator has no limit.
  if (id === null) return;
  const since = Date.now() - DAY_MS;
  const query = { actorId: id, actions: COUNTED_ACTIONS, since, count: MAX_ACCESS_CHANGES_PER_DAY };
  const time = await findNthNewestTime(scope, query);
  if (time !== undefined) throw new TooManyAttemptsError(Math.ceil((time - since) / 1000));
}
