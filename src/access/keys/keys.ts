import { DAY_MS } from "../../units.js";
import { newId } from "../../domain/ids.js";
import type { AuditAction, KeyAccessLevel } from "../../storage/access/tables.js";
import { type Actor, insertAuditEvent } from "../../storage/access/audit.js";
import {
  type ApiKey,
  insertKey,
  type ListedApiKey,
  setKeyReplaced,
  setKeyRevoked,
} from "../../storage/access/keys.js";
import type { StorageScope } from "../../storage/tables.js";
import { insertUser } from "../../storage/users.js";
import { generateKey, getVisibleParts } from "./key-format.js";
import { checkAccessChangeLimit } from "../audit.js";
import { checkName } from "../checks.js";
import { UserError } from "../../errors.js";
import { hashToken } from "../accounts/tokens.js";
export type { ApiKey, ListedApiKey };

export interface KeyOptions {
  readonly name: string;
  readonly access: KeyAccessLevel;
  /** Milliseconds since 1970, or null when it never expires. */
  readonly expiresTime: number | null;
  /** Id of the key and of its bot user; a new id when omitted. */
  readonly id?: string;
}

/** A new key, with its secret text that nobody can read later. */
export interface NewKey {
  /** The secret text of the key. Only its hash is stored. */
  readonly key: string;
  /** The key as lists show it, without its secret text. */
  readonly stored: ApiKey;
}

export interface RotatedKey extends NewKey {
  /** Time at which the old key stops working, in milliseconds since 1970. */
  readonly oldKeyEndTime: number;
}

/** Maximum time that a key keeps working after its rotation: 30 days. */
export const MAX_OVERLAP_MS = 30 * DAY_MS;

/** Creates a key in a workspace. Throws a UserError for an invalid name, or an expiry in the past. */
export async function createKey(scope: StorageScope, options: KeyOptions, actor: Actor): Promise<NewKey> {
  const newKey = await addKey(scope, options, actor);
  const { stored } = newKey;
  const rights = stored.access === "full" ? "full access" : "read-only";
  const expiry = stored.expiresTime === null ? "never expires" : `expires ${formatTime(stored.expiresTime)}`;
  await auditKeyChange(scope, stored, actor, "key.created", `${rights}, ${expiry}`);
  return newKey;
}

/** Replaces a key, which ends after `overlapMs`, by a similar one. Throws a UserError if it is inactive or was rotated. */
export async function rotateKey(
  scope: StorageScope,
  oldKey: ApiKey,
  overlapMs: number,
  actor: Actor,
): Promise<RotatedKey> {
  if (overlapMs > MAX_OVERLAP_MS) {
    throw new UserError("The old key can keep working for at most 30 days. Choose a shorter overlap.");
  }
  const now = Date.now();
  if (!isActive(oldKey, now)) {
    throw new UserError(`The key "${oldKey.name}" is inactive. Create a new key instead.`);
  }
  if (oldKey.replacedBy !== null) {
    throw new UserError(`The key "${oldKey.name}" was rotated already. Rotate its successor instead.`);
  }
  // The new key has the lifetime of the old one.
  const expiresTime = oldKey.expiresTime === null ? null : now + (oldKey.expiresTime - oldKey.createdTime);
  const options = { name: oldKey.name, access: oldKey.access, expiresTime };
  const newKey = await addKey(scope, options, actor);
  const end = Math.min(newKey.stored.createdTime + overlapMs, oldKey.expiresTime ?? Infinity);
  await setKeyReplaced(scope, oldKey.id, newKey.stored.id, end);
  const until = overlapMs === 0 ? "the old key ended at once" : `the old key works until ${formatTime(end)}`;
  await auditKeyChange(
    scope,
    oldKey,
    actor,
    "key.rotated",
    `replaced by ${maskKey(newKey.stored)}, ${until}`,
  );
  return { ...newKey, oldKeyEndTime: end };
}

/** Revokes a key unless it is revoked already. It stops working within a second, because authentication caches keys for that time. */
export async function revokeKey<K extends ApiKey>(scope: StorageScope, key: K, actor: Actor): Promise<K> {
  if (key.revokedTime !== null) return key;
  const revokedTime = Date.now();
  await setKeyRevoked(scope, key.id, revokedTime);
  await auditKeyChange(scope, key, actor, "key.revoked", "");
  return { ...key, revokedTime };
}

/** Whether a key is neither revoked nor expired at the time `now`. */
export function isActive(key: Pick<ApiKey, "expiresTime" | "revokedTime">, now: number): boolean {
  return key.revokedTime === null && (key.expiresTime ?? Infinity) > now;
}

/** Formats a key for lists with its middle left out: `ps_Ab12Cd…9xYz`. */
export function maskKey({ prefix, lastFour }: Pick<ApiKey, "prefix" | "lastFour">): string {
  return `${prefix}…${lastFour}`;
}

async function addKey(
  scope: StorageScope,
  { name, access, expiresTime, id = newId() }: KeyOptions,
  actor: Actor,
): Promise<NewKey> {
  checkName("key", name);
  await checkAccessChangeLimit(scope, actor);
  const createdTime = Date.now();
  if (expiresTime !== null && expiresTime <= createdTime) {
    throw new UserError("The key would have expired already. Choose an expiry in the future.");
  }
  const key = generateKey();
  const stored: ApiKey = {
    workspaceId: scope.workspaceId,
    id,
    ...getVisibleParts(key),
    name,
    createdTime,
    expiresTime,
    revokedTime: null,
    lastUsedTime: null,
    access,
    replacedBy: null,
    createdBy: actor.id,
  };
  await insertKey(scope.db, stored, hashToken(key));
  // The bot of the key has the same id and name.
  await insertUser(scope, { id, type: "bot", name, email: null, avatarUrl: null, createdTime });
  return { key, stored };
}

function auditKeyChange(
  scope: StorageScope,
  key: ApiKey,
  actor: Actor,
  action: AuditAction,
  detail: string,
): Promise<void> {
  const event = { action, subjectId: key.id, subjectName: `${key.name} (${maskKey(key)})`, detail };
  return insertAuditEvent(scope, actor, event);
}

function formatTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
