import { MAX_ACCESS_CHANGES_PER_DAY, MAX_SETTINGS_ROWS } from "../budgets.js";
import { DAY_MS } from "../units.js";
import type { AuditAction } from "../storage/access/tables.js";
import { type Account, type AccountIdentity, findMemberships } from "../storage/access/accounts.js";
import {
  type Actor,
  type NewAuditEvent,
  type AuditEvent,
  findAuditEvents,
  findNthNewestTime,
  insertAuditEvents,
} from "../storage/access/audit.js";
import type { Store } from "../storage/engine/store.js";
import type { Db, StorageScope } from "../storage/tables.js";
import { TooManyAttemptsError } from "../errors.js";
import type { Session } from "./accounts/sessions.js";

export type { AuditAction, AuditEvent };

/** The fields of a session that identify the account and the workspace. */
export type ActingSession = Pick<Session, "workspaceId" | "accountId" | "accountName">;

/** The actor of commands: the person who runs them on the machine of the service. */
export const OPERATOR: Actor = { type: "operator", id: null, name: "Operator" };

export function getAccountActor({ id, name }: Pick<Account, "id" | "name">): Actor {
  return { type: "account", id, name };
}

export function getSessionActor({ accountId, accountName }: ActingSession): Actor {
  return { type: "account", id: accountId, name: accountName };
}

export function toAccountSubject({ id, name, email }: AccountIdentity) {
  return { subjectId: id, subjectName: `${name} (${email})` };
}

/** Lists the newest entries of a workspace's audit log, newest first. */
export function listAuditEvents(store: Store, workspaceId: string, limit: number): Promise<AuditEvent[]> {
  return findAuditEvents({ db: store.read, workspaceId }, limit);
}

/** Actions that people can repeat without end. Opposite actions such as revoking need no limit: each key is revoked once. */
const LIMITED_ACTIONS: readonly AuditAction[] = ["key.created", "key.rotated", "member.invited"];

/** Throws TooManyAttemptsError when an account has repeated LIMITED_ACTIONS too often in a workspace within a day. */
export async function checkAccessChangeLimit(scope: StorageScope, { id }: Actor): Promise<void> {
  // The operator has no limit.
  if (id !== null) await checkDailyLimit(scope, id, LIMITED_ACTIONS);
}

/**
 * Throws TooManyAttemptsError when an account has repeated a change of itself too often within a day. Keys and invitations do not
 * count, because somebody with a stolen session could create many of them and so prevent a new password.
 */
export async function checkAccountChangeLimit(
  tx: Db,
  accountId: string,
  action: "member.renamed" | "password.changed",
): Promise<void> {
  // The audit log of the first workspace is enough, because those of all workspaces have the same changes.
  const [membership] = await findMemberships(tx, accountId, 1);
  if (membership !== undefined) await checkDailyLimit({ db: tx, ...membership }, accountId, [action]);
}

/** Adds a change of an account to the audit logs of its first MAX_SETTINGS_ROWS workspaces, and returns their ids. */
export async function auditInWorkspaces(
  tx: Db,
  account: AccountIdentity,
  actor: Actor,
  change: Pick<NewAuditEvent, "action" | "detail">,
): Promise<string[]> {
  const memberships = await findMemberships(tx, account.id, MAX_SETTINGS_ROWS);
  const workspaceIds = memberships.map(({ workspaceId }) => workspaceId);
  await insertAuditEvents(tx, workspaceIds, actor, { ...change, ...toAccountSubject(account) });
  return workspaceIds;
}

async function checkDailyLimit(
  scope: StorageScope,
  actorId: string,
  actions: readonly AuditAction[],
): Promise<void> {
  const since = Date.now() - DAY_MS;
  const query = { actorId, actions, since, count: MAX_ACCESS_CHANGES_PER_DAY };
  const time = await findNthNewestTime(scope, query);
  if (time !== undefined) throw new TooManyAttemptsError(Math.ceil((time - since) / 1000));
}
