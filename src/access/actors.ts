import type { Account } from "../storage/accounts/accounts.js";
import type { Actor } from "../storage/accounts/audit.js";
import type { Session } from "./sessions.js";

/** The person who runs commands on the machine of the service. */
export const OPERATOR: Actor = { type: "operator", id: null, name: "Operator" };

/** Returns the actor that the log records for an account. */
export function toActor(account: Pick<Account, "id" | "name">): Actor {
  return { type: "account", id: account.id, name: account.name };
}

/** Returns the actor that the log records for a session. */
export function toSessionActor({ accountId, accountName }: Session): Actor {
  return { type: "account", id: accountId, name: accountName };
}
