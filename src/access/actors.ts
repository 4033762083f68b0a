import type { Account } from "../storage/accounts/accounts.js";
import type { Actor } from "../storage/accounts/audit.js";
import type { Session } from "./sessions.js";

/** The actor of commands: the person who runs them on the machine of the service. */
export const OPERATOR: Actor = { type: "operator", id: null, name: "Operator" };

/** Returns the actor that the audit log records for an account. */
export function toActor(account: Pick<Account, "id" | "name">): Actor {
  return { type: "account", id: account.id, name: account.name };
}

/** Returns the actor that the audit log records for a signed-in account. */
export function toSessionActor({ accountId, accountName }: Session): Actor {
  return { type: "account", id: accountId, name: accountName };
}
