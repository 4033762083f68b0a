import { hash, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import {
  deleteSession,
  deleteSessions,
  findSession,
  insertSession,
  setSessionSeen,
  setSessionWorkspace,
  type StoredSession,
} from "../storage/sessions.js";
import type { Store } from "../storage/store.js";
import type { Tables } from "../storage/tables.js";

/** Milliseconds after which a session that is not used ends, and one that is used. */
const IDLE_LIFE = 7 * 24 * 3_600_000;
const WHOLE_LIFE = 30 * 24 * 3_600_000;
/** How often the last use is written at most, in milliseconds. */
const SEEN_PRECISION = 60_000;

/** A random text that nobody guesses: 256 bits. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The form in which tokens are stored and looked up: SHA-256, hexadecimal. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/**
 * Begins a session and forgets those that are over. Nothing of an earlier session is taken on.
 *
 * @returns The token for the cookie, which is stored nowhere.
 */
export async function beginSession(
  tx: Kysely<Tables>,
  accountId: string,
  workspaceId: string,
): Promise<string> {
  const now = Date.now();
  await deleteSessions(tx, now - IDLE_LIFE, now - WHOLE_LIFE);
  const token = newToken();
  await insertSession(tx, { hash: hashToken(token), accountId, workspaceId, csrfToken: newToken() }, now);
  return token;
}

/** Reads the session of a cookie's token; undefined when it is over, or never was. */
export async function readSession(store: Store, token: string): Promise<StoredSession | undefined> {
  const session = await findSession(store.read, hashToken(token));
  const now = Date.now();
  if (session === undefined) return undefined;
  if (now - session.lastSeenTime > IDLE_LIFE || now - session.createdTime > WHOLE_LIFE) return undefined;
  if (now - session.lastSeenTime > SEEN_PRECISION) {
    // Nobody waits for it, and when it fails the next request writes it.
    store.write((tx) => setSessionSeen(tx, session.hash, now), null).catch(() => {});
  }
  return session;
}

/** Ends the session of a token; nothing when there is none. */
export function endSession(store: Store, token: string): Promise<void> {
  return store.write((tx) => deleteSession(tx, hashToken(token)));
}

/** Makes a session about another workspace, of which its account is a member. */
export function switchWorkspace(store: Store, session: StoredSession, workspaceId: string): Promise<void> {
  return store.write((tx) => setSessionWorkspace(tx, session.hash, workspaceId));
}
