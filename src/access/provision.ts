import type { Kysely } from "kysely";
import { newId, newPropertyId } from "../domain/ids.js";
import { toRichText } from "../domain/rich-text.js";
import {
  makeSchema,
  plainProperty,
  type PlainPropertyType,
  type PropertyDefinition,
} from "../domain/schema.js";
import { findFirstDatabaseId, insertDatabase } from "../storage/databases.js";
import type { KeyAccessLevel } from "../storage/account-tables.js";
import { type ListedApiKey, listKeys as listStoredKeys } from "../storage/accounts/keys.js";
import type { Store } from "../storage/engine/store.js";
import type { Tables } from "../storage/tables.js";
import {
  findWorkspaceByName,
  hasWorkspaces,
  insertWorkspace,
  type Workspace,
} from "../storage/accounts/workspaces.js";
import { checkName, UserError } from "./checks.js";
import { issueKey, OPERATOR } from "./keys.js";
import { changePlan, choosePlan, requireWorkspace } from "./plans.js";
import { nameInUse } from "./workspaces.js";

/** Key to create, and its workspace. */
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

/** A new key with its text, which is not stored, and its workspace. */
export interface ProvisionedKey {
  readonly key: string;
  readonly workspaceId: string;
  readonly rootDatabaseId: string;
  /** Whether the workspace was created with the key. */
  readonly createdWorkspace: boolean;
}

/**
 * Creates an API key and, if it does not exist, its workspace with a database "Pages", in one transaction.
 *
 * @throws UserError when a name, plan or limit is not acceptable.
 */
export async function createKeyForWorkspace(store: Store, request: KeyRequest): Promise<ProvisionedKey> {
  return store.write((tx) => provision(tx, request));
}

/** The demo workspace's database, and its key if there is one. */
export interface Demo {
  readonly rootDatabaseId: string;
  readonly key: string | undefined;
}

const DEMO_WORKSPACE = { workspaceName: "Demo", plan: "pro" };
const DEMO_KEY_NAME = "Demo key";
/** The demo key was printed to a terminal, so it expires after 30 days. */
const DEMO_KEY_TTL_MS = 30 * 24 * 3_600_000;

/**
 * Creates a workspace "Demo" on the plan "pro", if the store has no workspace at all.
 *
 * @param withKey Whether to create a key for it.
 * @returns undefined when there is a workspace already.
 */
export async function provisionDemo(store: Store, withKey = true): Promise<Demo | undefined> {
  return store.write(async (tx) => {
    if (await hasWorkspaces(tx)) return undefined;
    if (withKey) {
      const expiresTime = Date.now() + DEMO_KEY_TTL_MS;
      return provision(tx, { ...DEMO_WORKSPACE, keyName: DEMO_KEY_NAME, expiresTime });
    }
    const { workspace } = await prepareWorkspace(tx, DEMO_WORKSPACE);
    return { rootDatabaseId: await addRootDatabase(tx, workspace.id, workspace.id), key: undefined };
  });
}

/**
 * Creates a workspace with a database "Pages", and no key.
 *
 * @throws UserError when the name is in use, or a name, plan or limit is not acceptable.
 */
export function createWorkspace(
  store: Store,
  request: Pick<KeyRequest, "workspaceName" | "plan" | "limit">,
): Promise<Workspace> {
  return store.write(async (tx) => {
    if (await findWorkspaceByName(tx, request.workspaceName)) throw nameInUse(request.workspaceName);
    const { workspace } = await prepareWorkspace(tx, request);
    await addRootDatabase(tx, workspace.id, workspace.id);
    return workspace;
  });
}

/** Whether a key is the demo key of the first start. */
export function isDemoKey(key: Pick<ListedApiKey, "name" | "createdBy">): boolean {
  return key.createdBy === null && key.name === DEMO_KEY_NAME;
}

/**
 * Creates a workspace on the plan "free" with a database "Pages", and no key.
 *
 * @param name A number is appended when the name is taken.
 * @param createdBy The user who creates it.
 * @throws UserError when the name is not acceptable.
 */
export async function addWorkspace(tx: Kysely<Tables>, name: string, createdBy: string): Promise<Workspace> {
  let workspaceName = name;
  for (let number = 2; (await findWorkspaceByName(tx, workspaceName)) !== undefined; number += 1) {
    workspaceName = `${name} ${number}`;
  }
  const { workspace } = await prepareWorkspace(tx, { workspaceName });
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

async function provision(tx: Kysely<Tables>, request: KeyRequest): Promise<ProvisionedKey> {
  const { workspace, created: createdWorkspace } = await prepareWorkspace(tx, request);
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

/** Finds or creates the workspace and puts it on the requested plan and limit. */
async function prepareWorkspace(
  tx: Kysely<Tables>,
  request: KeyRequest,
): Promise<{ workspace: Workspace; created: boolean }> {
  checkName("workspace", request.workspaceName);
  const existing = await findWorkspaceByName(tx, request.workspaceName);
  const chosen = choosePlan(request, existing);
  if (existing !== undefined) {
    return { workspace: await changePlan(tx, existing, chosen, OPERATOR), created: false };
  }
  if (request.createWorkspace === false) {
    throw new UserError(
      `There is no workspace "${request.workspaceName}". Check the name, or add --create-workspace to create it.`,
    );
  }
  const workspace = { id: newId(), name: request.workspaceName, ...chosen, createdTime: Date.now() };
  await insertWorkspace(tx, workspace);
  return { workspace, created: true };
}

/** Adds the database "Pages" to a new workspace and returns its id. */
async function addRootDatabase(tx: Kysely<Tables>, workspaceId: string, createdBy: string): Promise<string> {
  const now = Date.now();
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
