import { parseId } from "../../domain/ids.js";
import { getRequestLimit, type Plan } from "../../domain/plans.js";
import type { KeyAccessLevel } from "../../storage/access/tables.js";
import { findKeysByIdPrefixOrHash, type ListedApiKey, findKeys } from "../../storage/access/keys.js";
import { findFirstDatabaseId } from "../../storage/databases/databases.js";
import type { Store } from "../../storage/engine/store.js";
import type { Db, StorageScope } from "../../storage/tables.js";
import { OPERATOR } from "../audit.js";
import { checkName } from "../checks.js";
import { UserError } from "../../errors.js";
import { getVisibleParts, isWellFormedKey } from "./key-format.js";
import { createKey, maskKey, type NewKey, revokeKey, type RotatedKey, rotateKey } from "./keys.js";
import { addRootDatabase, addWorkspace } from "../workspaces/new-workspace.js";
import { changePlan, choosePlan } from "../workspaces/plans.js";
import { hashToken } from "../accounts/tokens.js";
import { findWorkspace, requireWorkspace } from "../workspaces/workspaces.js";

/** A request of the operator for an API key, and for its workspace if that does not exist. */
export interface KeyRequest {
  /** Name of the workspace, or the id of an existing one. */
  readonly workspaceName: string;
  /** Whether to create the workspace if it does not exist; true when omitted. */
  readonly createWorkspace?: boolean | undefined;
  /** One of PLANS. When omitted, a new workspace is on "free" and an existing one is unchanged. */
  readonly plan?: string | undefined;
  /** Requests per minute; only for the plan "enterprise". */
  readonly limit?: number | undefined;
  /** Name of the key; "API key" when omitted. */
  readonly keyName?: string | undefined;
  /** Milliseconds since 1970; the key never expires when omitted. */
  readonly expiresTime?: number | undefined;
  /** "full" when omitted. */
  readonly access?: KeyAccessLevel | undefined;
}

/** A new key, and the workspace that was found or created for it. */
export interface NewKeyWithWorkspace extends NewKey {
  readonly workspaceId: string;
  readonly rootDatabaseId: string;
  readonly createdWorkspace: boolean;
  readonly plan: Plan;
  /** Requests per minute; UNLIMITED_REQUESTS_PER_MINUTE for no limit. */
  readonly requestLimit: number;
}

export async function createKeyAsOperator(store: Store, request: KeyRequest): Promise<NewKeyWithWorkspace> {
  return store.writeServiceWide((tx) => createKeyAndWorkspace(tx, request));
}

/** Creates an API key, and its workspace if it does not exist. Sets a requested plan. Throws a UserError for invalid values. */
export async function createKeyAndWorkspace(tx: Db, request: KeyRequest): Promise<NewKeyWithWorkspace> {
  const { workspaceName, createWorkspace = true, keyName = "API key", access = "full" } = request;
  // An id is no valid name, but can be that of an existing workspace.
  if (parseId(workspaceName) === undefined) checkName("workspace", workspaceName);
  const existing = await findWorkspace(tx, workspaceName);
  const settings = choosePlan(request, existing);
  if (existing === undefined && !createWorkspace) {
    throw new UserError(
      `There is no workspace "${workspaceName}". Check the name, or add --create-workspace to create it.`,
    );
  }
  if (existing === undefined) checkName("workspace", workspaceName);
  const workspace = existing
    ? await changePlan(tx, existing, settings)
    : await addWorkspace(tx, workspaceName, settings);
  const options = { name: keyName, access, expiresTime: request.expiresTime ?? null };
  const scope = { db: tx, workspaceId: workspace.id };
  const { key, stored } = await createKey(scope, options, OPERATOR);
  const rootDatabaseId = (await findFirstDatabaseId(scope)) ?? (await addRootDatabase(scope, stored.id));
  return {
    key,
    stored,
    workspaceId: workspace.id,
    rootDatabaseId,
    createdWorkspace: existing === undefined,
    plan: settings.plan,
    requestLimit: getRequestLimit(settings.plan, settings.customRequestLimit),
  };
}

/** Lists all keys, or those of a workspace, oldest first. Throws as requireWorkspace does. */
export async function listKeys(store: Store, nameOrId?: string): Promise<ListedApiKey[]> {
  if (nameOrId === undefined) return findKeys(store.read);
  return findKeys(store.read, (await requireWorkspace(store.read, nameOrId)).id);
}

export function rotateKeyAsOperator(store: Store, reference: string, overlapMs: number): Promise<RotatedKey> {
  return writeInKeyWorkspace(store, reference, (scope, key) => rotateKey(scope, key, overlapMs, OPERATOR));
}

export function revokeKeyAsOperator(store: Store, reference: string): Promise<ListedApiKey> {
  return writeInKeyWorkspace(store, reference, (scope, key) => revokeKey(scope, key, OPERATOR));
}

/** Runs `change` in a transaction in the write queue of the key's workspace. */
async function writeInKeyWorkspace<T>(
  store: Store,
  reference: string,
  change: (scope: StorageScope, key: ListedApiKey) => Promise<T>,
): Promise<T> {
  const { workspaceId } = await requireKey(store.read, reference);
  return store.write(workspaceId, async (scope) => change(scope, await requireKey(scope.db, reference)));
}

/** Finds a key by its id, prefix, masked text or whole text. Throws a UserError for none, or for several active ones. */
async function requireKey(db: Db, reference: string): Promise<ListedApiKey> {
  const [idOrPrefix = "", end = ""] = reference.split(/…|\.\.\./, 2);
  const matches = await findKeysByIdPrefixOrHash(db, idOrPrefix, hashToken(reference));
  const found = matches.filter(({ lastFour }) => lastFour.endsWith(end));
  const [first] = found;
  if (first === undefined) {
    // A whole key is a secret, which must not appear in logs.
    const shown = isWellFormedKey(reference) ? maskKey(getVisibleParts(reference)) : reference;
    throw new UserError(
      `There is no key "${shown}". Give its id, or the key as \`page-service keys list\` shows it.`,
    );
  }
  const active = found.filter((key) => key.revokedTime === null);
  if (active.length > 1) {
    const list = active.map((key) => `${maskKey(key)} (${key.id}) in "${key.workspaceName}"`).join(", ");
    throw new UserError(
      `Several keys match "${reference}": ${list}. Use an id or a masked key that only one of them has.`,
    );
  }
  return active[0] ?? first;
}
