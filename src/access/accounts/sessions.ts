import type { Account } from "../../storage/access/accounts.js";
import {
  deleteSession,
  deleteOldestSessions,
  findSession,
  insertSession,
  setSessionSeen,
  setSessionWorkspace,
  type Session,
} from "../../storage/access/sessions.js";
import { MAX_SESSIONS_PER_ACCOUNT, SESSION_IDLE_TIMEOUT_MS } from "../../budgets.js";
import { DAY_MS, MINUTE_MS } from "../../units.js";
import type { Store } from "../../storage/engine/store.js";
import type { Db } from "../../storage/tables.js";
import { createDeviceToken, hashToken, newToken } from "./tokens.js";

export type { Session };

export const MAX_SESSION_AGE_MS = 30 * DAY_MS;
/** Minimum time between two writes of a session's last use. */
const LAST_SEEN_INTERVAL_MS = MINUTE_MS;

/** Tokens that are sent as cookies to a person who has signed in. */
export interface SessionTokens {
  readonly sessionToken: string;
  readonly deviceToken: string;
}

/** Creates a session and returns its tokens. Deletes the oldest sessions of an account with too many. */
export async function beginSession(
  tx: Db,
  { id: accountId, passwordHash }: Pick<Account, "id" | "passwordHash">,
  workspaceId: string,
): Promise<SessionTokens> {
  await deleteOldestSessions(tx, accountId, MAX_SESSIONS_PER_ACCOUNT - 1);
  const sessionToken = newToken();
  await insertSession(
    tx,
    { hash: hashToken(sessionToken), accountId, workspaceId, csrfToken: newToken() },
    Date.now(),
  );
  return { sessionToken, deviceToken: createDeviceToken(passwordHash) };
}

/**
 * Continues the session of a token, and records that it is in use; undefined when there is none or it has expired. Its CSRF token
 * ends with the id of its workspace, so that each form names the workspace of its page.
 */
export async function continueSession(store: Store, token: string): Promise<Session | undefined> {
  const session = await findSession(store.read, hashToken(token));
  const now = Date.now();
  if (session === undefined) return undefined;
  if (now - session.lastSeenTime > SESSION_IDLE_TIMEOUT_MS || now - session.createdTime > MAX_SESSION_AGE_MS)
    return undefined;
  if (now - session.lastSeenTime > LAST_SEEN_INTERVAL_MS) {
    // Not awaited. If the write fails, the next request tries it again.
    store.writeWithoutInvalidation((tx) => setSessionSeen(tx, session.hash, now)).catch(() => {});
  }
  return { ...session, csrfToken: `${session.csrfToken}.${session.workspaceId}` };
}

export function endSession(store: Store, token: string): Promise<void> {
  return store.writeWithoutInvalidation((tx) => deleteSession(tx, hashToken(token)));
}

export function switchWorkspace(store: Store, session: Session, workspaceId: string): Promise<void> {
  return store.writeWithoutInvalidation((tx) => setSessionWorkspace(tx, session.hash, workspaceId));
}
