import { createDatabase } from "../domain/database.js";
import { newId } from "../domain/ids.js";
import { planSchema } from "../domain/properties/schema-plan.js";
import { findFirstDatabaseId, insertDatabase } from "../storage/databases.js";
import type { KeyAccessLevel } from "../storage/account-tables.js";
import { type ListedApiKey, listKeys as listStoredKeys } from "../storage/accounts/keys.js";
import type { Store } from "../storage/engine/store.js";
import type { Db } from "../storage/tables.js";
import {
  findWorkspaceByName,
  hasWorkspaces,
  insertWorkspace,
  type Workspace,
} from "../storage/accounts/workspaces.js";
import { checkName, UserError } from "./checks.js";
import { issueKey, OPERATOR } from "./keys.js";
import { changePlan, choosePlan, requireWorkspace } from "./plans.js";
import { createNameInUseError } from "./workspaces.js";

/** A request of the operator for an API key, and for its workspace if that does not exist. */
export interface KeyRequest {
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

/** A new key and its workspace. */
export interface ProvisionedKey {
  /** The secret text of the key. Only its hash is stored. */
  readonly key: string;
  readonly workspaceId: string;
  readonly rootDatabaseId: string;
  /** Whether the workspace was created with the key. */
  readonly createdWorkspace: boolean;
}

/**
 * Creates an API key and, if it does not exist, its workspace with a database "Pages", in one transaction.
 *
 * @throws UserError when a name, plan or limit is invalid.
 */
export async function createKeyForWorkspace(store: Store, request: KeyRequest): Promise<ProvisionedKey> {
  return store.write((tx) => createKeyInTransaction(tx, request));
}

/** The demo workspace's database, and its API key if one was created. */
export interface Demo {
  readonly rootDatabaseId: string;
  readonly key: string | undefined;
}

const DEMO_WORKSPACE = { workspaceName: "Demo", plan: "pro" };
const DEMO_KEY_NAME = "Demo key";
/** Time after which the demo key expires, because it is printed to a terminal: 30 days. */
const DEMO_KEY_TTL_MS = 30 * 24 * 3_600_000;

/**
 * Creates a workspace "Demo" on the plan "pro", if the store has no workspaces.
 *
 * @param withKey Whether to create a key for it.
 * @returns The new workspace's database and key; undefined when there is a workspace already.
 */
export async function provisionDemo(store: Store, withKey = true): Promise<Demo | undefined> {
  return store.write(async (tx) => {
    if (await hasWorkspaces(tx)) return undefined;
    if (withKey) {
      const expiresTime = Date.now() + DEMO_KEY_TTL_MS;
      return createKeyInTransaction(tx, { ...DEMO_WORKSPACE, keyName: DEMO_KEY_NAME, expiresTime });
    }
    const { workspace } = await findOrCreateWorkspace(tx, DEMO_WORKSPACE);
    return { rootDatabaseId: await addRootDatabase(tx, workspace.id, workspace.id), key: undefined };
  });
}

/**
 * Creates a workspace with a database "Pages", and no key.
 *
 * @throws UserError when the name is in use, or a name, plan or limit is invalid.
 */
export function createWorkspace(
  store: Store,
  request: Pick<KeyRequest, "workspaceName" | "plan" | "limit">,
): Promise<Workspace> {
  return store.write(async (tx) => {
    if (await findWorkspaceByName(tx, request.workspaceName))
      throw createNameInUseError(request.workspaceName);
    const { workspace } = await findOrCreateWorkspace(tx, request);
    await addRootDatabase(tx, workspace.id, workspace.id);
    return workspace;
  });
}

/** Whether a key is the demo key, which the service creates and prints at its first start. */
export function isDemoKey(key: Pick<ListedApiKey, "name" | "createdBy">): boolean {
  return key.createdBy === null && key.name === DEMO_KEY_NAME;
}

/**
 * Creates the workspace of a user on the plan "free" with a database "Pages", and no key.
 *
 * @param name A number is appended when the name is taken.
 * @param createdBy Id of the user.
 * @throws UserError when the name is invalid.
 */
export async function createUserWorkspace(tx: Db, name: string, createdBy: string): Promise<Workspace> {
  let workspaceName = name;
  for (let suffix = 2; (await findWorkspaceByName(tx, workspaceName)) !== undefined; suffix += 1) {
    workspaceName = `${name} ${suffix}`;
  }
  const { workspace } = await findOrCreateWorkspace(tx, { workspaceName });
  await addRootDatabase(tx, workspace.id, createdBy);
  return workspace;
}

/**
 * Lists keys including inactive ones, oldest first.
 *
 * @param workspaceName Lists the keys of all workspaces when omitted.
 * @throws UserError when no workspace has the name.
 */
export async function listKeys(store: Store, workspaceName?: string): Promise<ListedApiKey[]> {
  if (workspaceName === undefined) return listStoredKeys(store.read);
  return listStoredKeys(store.read, (await requireWorkspace(store.read, workspaceName)).id);
}

/** Creates a key as createKeyForWorkspace does, in the transaction of the caller. */
async function createKeyInTransaction(tx: Db, request: KeyRequest): Promise<ProvisionedKey> {
  const { workspace, created: createdWorkspace } = await findOrCreateWorkspace(tx, request);
  const { key, stored } = await issueKey(
    tx,
    workspace.id,
    {
      name: request.keyName ?? "API key",
      access: request.access ?? "full",
      expiresTime: request.expiresTime ?? null,
    },
    OPERATOR,
  );
  const rootDatabaseId =
    (await findFirstDatabaseId(tx, workspace.id)) ?? (await addRootDatabase(tx, workspace.id, stored.id));
  return { key, workspaceId: workspace.id, rootDatabaseId, createdWorkspace };
}

/** Finds or creates the workspace of a request, and sets its plan and limit if the request has them. */
async function findOrCreateWorkspace(
  tx: Db,
  request: KeyRequest,
): Promise<{ workspace: Workspace; created: boolean }> {
  checkName("workspace", request.workspaceName);
  const existing = await findWorkspaceByName(tx, request.workspaceName);
  const planChoice = choosePlan(request, existing);
  if (existing !== undefined) {
    return { workspace: await changePlan(tx, existing, planChoice, OPERATOR), created: false };
  }
  if (request.createWorkspace === false) {
    throw new UserError(
      `There is no workspace "${request.workspaceName}". Check the name, or add --create-workspace to create it.`,
    );
  }
  const workspace = { id: newId(), name: request.workspaceName, ...planChoice, createdTime: Date.now() };
  await insertWorkspace(tx, workspace);
  return { workspace, created: true };
}

/**
 * Adds the database "Pages" to a new workspace.
 *
 * @param createdBy Id of the recorded author: a person or bot, or the workspace itself if the operator created it.
 * @returns The database's id.
 */
async function addRootDatabase(tx: Db, workspaceId: string, createdBy: string): Promise<string> {
  const edit = { author: createdBy, time: Date.now() };
  const title = [{ text: { content: "Pages" } }];
  const database = createDatabase(newId(), { type: "workspace" }, { title }, edit);
  const properties = {
    Title: { title: {} },
    Notes: { rich_text: {} },
    Done: { checkbox: {} },
    Points: { number: {} },
  };
  const { schema } = planSchema({ id: database.id, title: "Pages" }, database.schema, properties, new Map());
  await insertDatabase(tx, workspaceId, { ...database, schema });
  return database.id;
}
