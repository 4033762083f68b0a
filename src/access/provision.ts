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
import { type ListedApiKey, listKeys as listStoredKeys } from "../storage/keys.js";
import type { Store } from "../storage/store.js";
import type { Tables } from "../storage/tables.js";
import {
  findWorkspaceByName,
  hasWorkspaces,
  insertWorkspace,
  type Workspace,
} from "../storage/workspaces.js";
import { checkName } from "./checks.js";
import { issueKey, OPERATOR } from "./keys.js";
import { changePlan, choosePlan, requireWorkspace } from "./plans.js";

/** What `createKeyForWorkspace` is asked for. */
export interface KeyRequest {
  readonly workspaceName: string;
  /** One of PLANS. Left out: a new workspace is on "free", an existing one stays as it is. */
  readonly plan?: string | undefined;
  /** Requests a minute; for the plan "enterprise" only. */
  readonly limit?: number | undefined;
  /** By which people tell a workspace's keys apart; "API key" when it is left out. */
  readonly keyName?: string | undefined;
  /** Milliseconds since 1970; a key without it never expires. */
  readonly expiresTime?: number | undefined;
  /** A read-only key changes nothing; "full" when it is left out. */
  readonly access?: KeyAccessLevel | undefined;
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
  return store.write((tx) => provision(tx, request));
}

/**
 * Makes a workspace "Demo" on the plan "pro" with a key, when the store has no workspace at all.
 *
 * @returns undefined when there is a workspace already.
 */
export async function provisionDemo(store: Store): Promise<ProvisionedKey | undefined> {
  const request = { workspaceName: "Demo", plan: "pro", keyName: "Demo key" };
  return store.write(async (tx) => ((await hasWorkspaces(tx)) ? undefined : provision(tx, request)));
}

/**
 * Makes a workspace on the plan "free" with a database "Pages" to begin with, and no key.
 *
 * @param name Gets a number behind it when it is taken.
 * @param createdBy The user who made it.
 * @throws ProvisionError when the name is not acceptable.
 */
export async function addWorkspace(tx: Kysely<Tables>, name: string, createdBy: string): Promise<Workspace> {
  let workspaceName = name;
  for (let number = 2; (await findWorkspaceByName(tx, workspaceName)) !== undefined; number += 1) {
    workspaceName = `${name} ${number}`;
  }
  const workspace = await prepareWorkspace(tx, { workspaceName });
  await addRootDatabase(tx, workspace.id, createdBy);
  return workspace;
}

/**
 * Lists keys, oldest first, those that are revoked too.
 *
 * @param workspaceName Left out: the keys of all workspaces.
 * @throws ProvisionError when there is no workspace of that name.
 */
export async function listKeys(store: Store, workspaceName?: string): Promise<ListedApiKey[]> {
  if (workspaceName === undefined) return listStoredKeys(store.read);
  return listStoredKeys(store.read, (await requireWorkspace(store.read, workspaceName)).id);
}

async function provision(tx: Kysely<Tables>, request: KeyRequest): Promise<ProvisionedKey> {
  const workspace = await prepareWorkspace(tx, request);
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
  return { key, workspaceId: workspace.id, rootDatabaseId };
}

/** Finds or creates the workspace, on the plan and limit that were asked for. */
async function prepareWorkspace(tx: Kysely<Tables>, request: KeyRequest): Promise<Workspace> {
  checkName("workspace", request.workspaceName);
  const existing = await findWorkspaceByName(tx, request.workspaceName);
  const chosen = choosePlan(request, existing);
  if (existing !== undefined) return changePlan(tx, existing, chosen, OPERATOR);
  const workspace = { id: newId(), name: request.workspaceName, ...chosen, createdTime: Date.now() };
  await insertWorkspace(tx, workspace);
  return workspace;
}

/** Adds the database that a new workspace begins with, and gives its id. */
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
