import { type ApiKey, maskKey } from "../access/keys/keys.js";
import {
  createKeyAsOperator,
  listKeys as listApiKeys,
  revokeKeyAsOperator,
  rotateKeyAsOperator,
} from "../access/keys/operator-keys.js";
import { describeLimit } from "../domain/plans.js";
import type { Store } from "../storage/engine/store.js";
import { formatMinute, formatTime, printList, printResult } from "./print.js";
import { withNewStore, withStore } from "./with-store.js";

interface CreateOptions {
  workspace: string;
  createWorkspace?: true;
  plan?: string;
  limit?: number;
  name?: string;
  /** Milliseconds from now. */
  expires?: number;
  readOnly?: true;
  json?: true;
}

/** `page-service keys create`: creates an API key and prints it once. */
export async function createKey(options: CreateOptions): Promise<void> {
  const request = {
    workspaceName: options.workspace,
    // --json implies --create-workspace, for scripts that provision workspaces.
    createWorkspace: options.createWorkspace ?? options.json ?? false,
    plan: options.plan,
    limit: options.limit,
    keyName: options.name,
    expiresTime: options.expires === undefined ? undefined : Date.now() + options.expires,
    access: options.readOnly ? ("read_only" as const) : undefined,
  };
  const create = (store: Store) => createKeyAsOperator(store, request);
  const created = await (request.createWorkspace ? withNewStore(create, options) : withStore(create));
  const { stored } = created;
  const json = {
    key: created.key,
    workspace_id: created.workspaceId,
    root_database_id: created.rootDatabaseId,
  };
  printResult(options.json, json, [
    ...(created.createdWorkspace ? [`Created the workspace "${options.workspace}".`] : []),
    `API key      ${created.key}`,
    `Workspace    ${created.workspaceId}`,
    `Plan         ${created.plan}, ${describeLimit(created.requestLimit)}`,
    `Name         ${stored.name}`,
    `Access       ${formatAccess(stored)}`,
    `Expires      ${formatExpiry(stored.expiresTime)}`,
    `Database id  ${created.rootDatabaseId}`,
    "Copy the key now: it is not shown again.",
  ]);
}

function formatExpiry(time: number | null): string {
  return time === null ? "never" : `${formatMinute(formatTime(time))} UTC`;
}

/** `page-service keys list`: prints the API keys of all workspaces or of one. */
export async function listKeys(options: { workspace?: string; json?: true }): Promise<void> {
  const keys = await withStore((store) => listApiKeys(store, options.workspace));
  const rows = keys.map((key) => ({
    id: key.id,
    workspace: key.workspaceName,
    name: key.name,
    key: maskKey(key),
    access: key.access,
    created: formatTime(key.createdTime),
    last_used: formatTime(key.lastUsedTime),
    expires: formatTime(key.expiresTime),
    revoked: formatTime(key.revokedTime),
    replaced_by: key.replacedBy,
  }));
  printList(options.json, rows, "There are no keys.", {
    KEY: ({ key }) => key,
    WORKSPACE: ({ workspace }) => workspace,
    NAME: ({ name }) => name,
    ACCESS: formatAccess,
    "CREATED (UTC)": ({ created }) => formatMinute(created),
    "LAST USED (UTC)": ({ last_used: lastUsed }) => formatMinute(lastUsed),
    "EXPIRES (UTC)": ({ expires, revoked, replaced_by: replacedBy }) => {
      if (revoked !== null) return "revoked";
      return replacedBy === null ? formatMinute(expires) : `${formatMinute(expires)} (replaced)`;
    },
  });
}

function formatAccess({ access }: Pick<ApiKey, "access">): string {
  return access === "read_only" ? "read-only" : "full";
}

/** `page-service keys rotate`: replaces an API key by a new one, which it prints once. */
export async function rotateKey(
  idOrPrefix: string,
  options: { overlap: number; json?: true },
): Promise<void> {
  const { overlap } = options;
  const { key, stored, oldKeyEndTime } = await withStore((store) =>
    rotateKeyAsOperator(store, idOrPrefix, overlap),
  );
  printResult(options.json, { key, id: stored.id, workspace_id: stored.workspaceId }, [
    `API key      ${key}`,
    `Expires      ${formatExpiry(stored.expiresTime)}`,
    overlap === 0
      ? "The old key stops working within a second."
      : `The old key keeps working until ${formatMinute(formatTime(oldKeyEndTime))} UTC.`,
    "Copy the key now: it is not shown again.",
  ]);
}

/** `page-service keys revoke`: revokes an API key. */
export async function revokeKey(idOrPrefix: string, options: { json?: true }): Promise<void> {
  const key = await withStore((store) => revokeKeyAsOperator(store, idOrPrefix));
  printResult(options.json, { id: key.id, revoked: true }, [`Revoked ${maskKey(key)} (${key.id}).`]);
}
