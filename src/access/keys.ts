import type { Kysely } from "kysely";
import { newId } from "../domain/ids.js";
import type { KeyAccessLevel } from "../storage/account-tables.js";
import { type Actor, insertAuditEvent } from "../storage/audit.js";
import {
  type ApiKey,
  findKeysByIdOrPrefix,
  insertKey,
  type ListedApiKey,
  setKeyReplaced,
  setKeyRevoked,
} from "../storage/keys.js";
import type { Store } from "../storage/store.js";
import type { Tables } from "../storage/tables.js";
import { insertUser } from "../storage/users.js";
import { createKey, describeKey, hashKey } from "./api-keys.js";
import { checkName, ProvisionError } from "./checks.js";

/** Who runs commands on the machine that the service is on. */
export const OPERATOR: Actor = { type: "operator", id: null, name: "Operator" };

/** What a new key is to be. */
export interface KeyOrder {
  readonly name: string;
  readonly access: KeyAccessLevel;
  /** Milliseconds since 1970, or null when it never expires. */
  readonly expiresTime: number | null;
  /** Of the key and its bot; a new one when it is left out. */
  readonly id?: string;
}

/** A new key, of which the text cannot be shown again. */
export interface IssuedKey {
  readonly key: string;
  readonly stored: ApiKey;
}

/** Longest time that a key may work on after it was replaced: 30 days. */
export const LONGEST_OVERLAP = 30 * 24 * 3_600_000;

/**
 * Makes a key in a workspace, and notes it in the log.
 *
 * @throws ProvisionError when the name is not acceptable, or the expiry is not in the future.
 */
export async function issueKey(
  tx: Kysely<Tables>,
  workspaceId: string,
  order: KeyOrder,
  actor: Actor,
): Promise<IssuedKey> {
  const issued = await addKey(tx, workspaceId, order, actor);
  const { stored } = issued;
  const rights = stored.access === "full" ? "full access" : "read only";
  const expiry = stored.expiresTime === null ? "never expires" : `expires ${dateOf(stored.expiresTime)}`;
  await log(tx, stored, actor, "key.created", `${rights}, ${expiry}`);
  return issued;
}

/**
 * Makes a key in the place of another, with its name and rights, and lets the old one work on for a while. Where the old
 * one expires, the new one lives as long as that was made to live.
 *
 * @param overlap Milliseconds that the old key works on, at most LONGEST_OVERLAP; 0 ends it at once.
 * @throws ProvisionError when the key works no more or was replaced already.
 */
export async function rotateKey(
  tx: Kysely<Tables>,
  old: ApiKey,
  overlap: number,
  actor: Actor,
): Promise<IssuedKey> {
  if (!(overlap >= 0 && overlap <= LONGEST_OVERLAP)) {
    throw new ProvisionError("The old key can work on for at most 30 days. Choose a shorter overlap.");
  }
  const now = Date.now();
  if (!isActive(old, now)) {
    throw new ProvisionError(`The key "${old.name}" works no more. Create a new key instead.`);
  }
  if (old.replacedBy !== null) {
    throw new ProvisionError(`The key "${old.name}" was replaced already. Rotate the key that replaced it.`);
  }
  const expiresTime = old.expiresTime === null ? null : now + (old.expiresTime - old.createdTime);
  const order = { name: old.name, access: old.access, expiresTime };
  const issued = await addKey(tx, old.workspaceId, order, actor);
  const end = Math.min(issued.stored.createdTime + overlap, old.expiresTime ?? Infinity);
  await setKeyReplaced(tx, old, issued.stored.id, end);
  const until = overlap === 0 ? "the old key ended at once" : `the old key works until ${dateOf(end)}`;
  await log(tx, old, actor, "key.rotated", `replaced by ${shownKey(issued.stored)}, ${until}`);
  return issued;
}

/**
 * Revokes a key, which stops working within a second. Revoking it again changes nothing.
 *
 * @returns The key as it is now.
 */
export async function revokeKey<K extends ApiKey>(tx: Kysely<Tables>, key: K, actor: Actor): Promise<K> {
  if (key.revokedTime !== null) return key;
  const revokedTime = Date.now();
  await setKeyRevoked(tx, key, revokedTime);
  await log(tx, key, actor, "key.revoked", "");
  return { ...key, revokedTime };
}

/**
 * Finds the one key that an operator means.
 *
 * @param idOrPrefix The key's id, or the first characters of the key as lists show them.
 * @throws ProvisionError when no key, or more than one that is not revoked, has that id or prefix.
 */
async function findKey(tx: Kysely<Tables>, idOrPrefix: string): Promise<ListedApiKey> {
  const found = await findKeysByIdOrPrefix(tx, idOrPrefix);
  const [first] = found;
  if (first === undefined) {
    throw new ProvisionError(
      `There is no key with the id or prefix "${idOrPrefix}". List the keys to see their ids and prefixes.`,
    );
  }
  const [active, ...others] = found.filter((key) => key.revokedTime === null);
  if (others.length > 0) {
    const ids = [active, ...others].map((key) => key?.id).join(", ");
    throw new ProvisionError(`Several keys have the prefix "${idOrPrefix}". Name one by its id: ${ids}.`);
  }
  return active ?? first;
}

/** Rotates the key that an operator means, see rotateKey. */
export function rotateKeyOf(store: Store, idOrPrefix: string, overlap: number): Promise<IssuedKey> {
  return store.write(async (tx) => rotateKey(tx, await findKey(tx, idOrPrefix), overlap, OPERATOR));
}

/** Revokes the key that an operator means, see revokeKey. */
export function revokeKeyOf(store: Store, idOrPrefix: string): Promise<ListedApiKey> {
  return store.write(async (tx) => revokeKey(tx, await findKey(tx, idOrPrefix), OPERATOR));
}

/** Whether a key works at a time. */
export function isActive(key: Pick<ApiKey, "expiresTime" | "revokedTime">, now: number): boolean {
  return key.revokedTime === null && (key.expiresTime ?? Infinity) > now;
}

/** A key as lists show it. */
export function shownKey({ prefix, lastFour }: Pick<ApiKey, "prefix" | "lastFour">): string {
  return `${prefix}…${lastFour}`;
}

async function addKey(
  tx: Kysely<Tables>,
  workspaceId: string,
  { name, access, expiresTime, id = newId() }: KeyOrder,
  actor: Actor,
): Promise<IssuedKey> {
  checkName("key", name);
  const createdTime = Date.now();
  if (expiresTime !== null && expiresTime <= createdTime) {
    throw new ProvisionError("The key would have expired already. Choose an expiry in the future.");
  }
  const key = createKey();
  const stored: ApiKey = {
    workspaceId,
    id,
    ...describeKey(key),
    name,
    createdTime,
    expiresTime,
    revokedTime: null,
    lastUsedTime: null,
    access,
    replacedBy: null,
    createdBy: actor.id,
  };
  await insertKey(tx, stored, hashKey(key));
  // The bot that acts for the key has its id.
  await insertUser(tx, workspaceId, { id, type: "bot", name, email: null, avatarUrl: null, createdTime });
  return { key, stored };
}

function log(tx: Kysely<Tables>, key: ApiKey, actor: Actor, action: string, detail: string): Promise<void> {
  const entry = { action, subjectId: key.id, subjectName: `${key.name} (${shownKey(key)})`, detail };
  return insertAuditEvent(tx, key.workspaceId, actor, entry, Date.now());
}

function dateOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
