import type { Kysely } from "kysely";
import { newId, newPropertyId } from "../domain/ids.js";
import { HIGHEST_REQUEST_LIMIT, PLANS, type Plan } from "../domain/limits.js";
import { toRichText } from "../domain/rich-text.js";
import {
  makeSchema,
  plainProperty,
  type PlainPropertyType,
  type PropertyDefinition,
} from "../domain/schema.js";
import { findFirstDatabaseId, insertDatabase } from "../storage/databases.js";
import {
  findKeysByIdOrPrefix,
  insertKey,
  listKeys as listStoredKeys,
  setKeyRevoked,
  type ListedApiKey,
} from "../storage/keys.js";
import type { Store } from "../storage/store.js";
import type { Tables } from "../storage/tables.js";
import { insertUser } from "../storage/users.js";
import {
  findWorkspaceByName,
  hasWorkspaces,
  insertWorkspace,
  setWorkspacePlan,
  type Workspace,
} from "../storage/workspaces.js";
import { createKey, describeKey, hashKey } from "./api-keys.js";

/** What an operator asked for cannot be done. The message names the remedy. */
export class ProvisionError extends Error {
  override readonly name = "ProvisionError";
}

/** What `createKeyForWorkspace` is asked for. */
export interface KeyRequest {
  readonly workspaceName: string;
  /** One of PLANS. Left out: a new workspace is on "free", an existing one stays as it is. */
  readonly plan?: string | undefined;
  /** Requests a minute; for the plan "enterprise" only. */
  readonly limit?: number | undefined;
  /** By which people tell a workspace's keys apart; "API key" when it is left out. */
  readonly keyName?: string | undefined;
}

/** A new key, which cannot be shown again, and where it leads. */
export interface ProvisionedKey {
  readonly key: string;
  readonly workspaceId: string;
  readonly rootDatabaseId: string;
}

/**
 * Creates an API key. The workspace is created with it when there is none of that name, with a database
 * "Pages" to begin with; all of it in one transaction.
 *
 * @throws ProvisionError when a name, plan or limit is not acceptable.
 */
export async function createKeyForWorkspace(store: Store, request: KeyRequest): Promise<ProvisionedKey> {
  const order = checkRequest(request);
  return store.write((tx) => provision(tx, order));
}

/**
 * Makes a workspace "Demo" on the plan "pro" with a key, when the store has no workspace at all.
 *
 * @returns undefined when there is a workspace already.
 */
export async function provisionDemo(store: Store): Promise<ProvisionedKey | undefined> {
  const order = checkRequest({ workspaceName: "Demo", plan: "pro", keyName: "Demo key" });
  return store.write(async (tx) => ((await hasWorkspaces(tx)) ? undefined : provision(tx, order)));
}

/**
 * Lists keys, oldest first, those that are revoked too.
 *
 * @param workspaceName Left out: the keys of all workspaces.
 * @throws ProvisionError when there is no workspace of that name.
 */
export async function listKeys(store: Store, workspaceName?: string): Promise<ListedApiKey[]> {
  if (workspaceName === undefined) return listStoredKeys(store.read);
  const workspace = await findWorkspaceByName(store.read, workspaceName);
  if (workspace === undefined) {
    throw new ProvisionError(
      `There is no workspace "${workspaceName}". List all keys to see the names of the workspaces.`,
    );
  }
  return listStoredKeys(store.read, workspace.id);
}

/**
 * Revokes a key, which stops working within a second. Revoking it again changes nothing.
 *
 * @param idOrPrefix The key's id, or the first characters of the key as lists show them.
 * @returns The key as it is now.
 * @throws ProvisionError when no key, or more than one that is not revoked, has that id or prefix.
 */
export async function revokeKey(store: Store, idOrPrefix: string): Promise<ListedApiKey> {
  return store.write(async (tx) => {
    const found = await findKeysByIdOrPrefix(tx, idOrPrefix);
    const [first] = found;
    if (first === undefined) {
      throw new ProvisionError(
        `There is no key with the id or prefix "${idOrPrefix}". List the keys to see their ids and prefixes.`,
      );
    }
    const [active, ...others] = found.filter((key) => key.revokedTime === null);
    if (active === undefined) return first;
    if (others.length > 0) {
      const ids = [active, ...others].map((key) => key.id).join(", ");
      throw new ProvisionError(`Several keys have the prefix "${idOrPrefix}". Name one by its id: ${ids}.`);
    }
    const revokedTime = Date.now();
    await setKeyRevoked(tx, active, revokedTime);
    return { ...active, revokedTime };
  });
}

interface KeyOrder {
  readonly workspaceName: string;
  readonly plan: Plan | undefined;
  readonly limit: number | undefined;
  readonly keyName: string;
}

function checkRequest(request: KeyRequest): KeyOrder {
  const { workspaceName, plan, limit, keyName = "API key" } = request;
  checkName("workspace", workspaceName);
  checkName("key", keyName);
  const known = PLANS.find((name) => name === plan);
  if (plan !== undefined && known === undefined) {
    throw new ProvisionError(`There is no plan "${plan}". Choose one of: ${PLANS.join(", ")}.`);
  }
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1 || limit > HIGHEST_REQUEST_LIMIT)) {
    throw new ProvisionError(
      `The limit must be a whole number of requests a minute from 1 to ${HIGHEST_REQUEST_LIMIT}.`,
    );
  }
  return { workspaceName, plan: known, limit, keyName };
}

/**
 * Checks a name that is shown in lists and pages: it must be visible, short, and storable as UTF-8.
 *
 * @param what What has the name.
 * @throws ProvisionError when it is not acceptable.
 */
export function checkName(what: string, name: string): void {
  if (name.trim() === "") throw new ProvisionError(`The ${what} needs a name that is not empty.`);
  if (name.length > 100) {
    throw new ProvisionError(
      `The name of the ${what} has ${name.length} characters. Choose one of at most 100.`,
    );
  }
  if (/[\p{Cc}\p{Cs}]/u.test(name)) {
    throw new ProvisionError(
      `The name of the ${what} contains control characters. Choose one without line breaks, tabs and the like.`,
    );
  }
}

async function provision(tx: Kysely<Tables>, order: KeyOrder): Promise<ProvisionedKey> {
  const now = Date.now();
  // The bot that acts for the key has its id.
  const keyId = newId();
  const workspace = await prepareWorkspace(tx, order, now);
  const rootDatabaseId =
    (await findFirstDatabaseId(tx, workspace.id)) ?? (await addRootDatabase(tx, workspace.id, keyId, now));
  const key = createKey();
  await insertKey(
    tx,
    {
      workspaceId: workspace.id,
      id: keyId,
      ...describeKey(key),
      name: order.keyName,
      createdTime: now,
      expiresTime: null,
      revokedTime: null,
      lastUsedTime: null,
    },
    hashKey(key),
  );
  await insertUser(tx, workspace.id, {
    id: keyId,
    type: "bot",
    name: order.keyName,
    email: null,
    avatarUrl: null,
    createdTime: now,
  });
  return { key, workspaceId: workspace.id, rootDatabaseId };
}

/** Finds or creates the workspace, on the plan and limit that were asked for. */
async function prepareWorkspace(tx: Kysely<Tables>, order: KeyOrder, now: number): Promise<Workspace> {
  const existing = await findWorkspaceByName(tx, order.workspaceName);
  const plan = order.plan ?? existing?.plan ?? "free";
  if (order.limit !== undefined && plan !== "enterprise") {
    throw new ProvisionError(
      `The limit of the plan "${plan}" is fixed. Leave the limit out, or choose the plan "enterprise".`,
    );
  }
  const ownLimit = plan === "enterprise" ? (order.limit ?? existing?.ownLimit ?? null) : null;
  if (existing === undefined) {
    const workspace = { id: newId(), name: order.workspaceName, plan, ownLimit, createdTime: now };
    await insertWorkspace(tx, workspace);
    return workspace;
  }
  if (plan !== existing.plan || ownLimit !== existing.ownLimit) {
    await setWorkspacePlan(tx, existing.id, plan, ownLimit);
  }
  return { ...existing, plan, ownLimit };
}

/** Adds the database that a new workspace begins with, and gives its id. */
async function addRootDatabase(
  tx: Kysely<Tables>,
  workspaceId: string,
  createdBy: string,
  now: number,
): Promise<string> {
  const taken = new Set(["title"]);
  const define = (name: string, type: PlainPropertyType): PropertyDefinition => {
    const id = newPropertyId(taken);
    taken.add(id);
    return plainProperty(id, name, type);
  };
  const id = newId();
  await insertDatabase(tx, workspaceId, {
    id,
    parent: { type: "workspace" },
    inTrash: false,
    trashRoot: null,
    description: [],
    icon: null,
    cover: null,
    isInline: false,
    title: [toRichText({ text: { content: "Pages" } })],
    schema: makeSchema([
      plainProperty("title", "Title", "title"),
      define("Notes", "rich_text"),
      define("Done", "checkbox"),
      define("Points", "number"),
    ]),
    createdTime: now,
    lastEditedTime: now,
    createdBy,
    lastEditedBy: createdBy,
  });
  return id;
}
