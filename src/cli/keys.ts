import { parseArgs } from "node:util";
import { revokeKeyOf, rotateKeyOf, shownKey } from "../access/keys.js";
import { createKeyForWorkspace, listKeys } from "../access/provision.js";
import type { ListedApiKey } from "../storage/keys.js";
import { isoTime, print, table } from "./print.js";
import { readDuration, readLimit } from "./read-options.js";
import { UsageError } from "./usage.js";
import { withStore } from "./with-store.js";

const OPTIONS = {
  workspace: { type: "string" },
  plan: { type: "string" },
  limit: { type: "string" },
  name: { type: "string" },
  expires: { type: "string" },
  "read-only": { type: "boolean", default: false },
  overlap: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

/** `page-service keys create|list|rotate|revoke`; `--json` prints what a program can read. */
export async function keysCommand(args: string[]): Promise<number> {
  const [action, ...rest] = args;
  const { values, positionals } = parseArgs({ args: rest, allowPositionals: true, options: OPTIONS });
  switch (action) {
    case "create":
      return create(values);
    case "list":
      return list(values);
    case "rotate":
      return rotate(values, positionals[0]);
    case "revoke":
      return revoke(values, positionals[0]);
    default:
      throw new UsageError("keys can create, list, rotate and revoke.");
  }
}

async function create(values: Values): Promise<number> {
  const { workspace: workspaceName, plan, limit, name: keyName, expires } = values;
  if (workspaceName === undefined) throw new UsageError("keys create needs --workspace NAME.");
  const request = {
    workspaceName,
    plan,
    limit: readLimit(limit),
    keyName,
    expiresTime: expires === undefined ? undefined : Date.now() + readDuration("--expires", expires),
    access: values["read-only"] === true ? ("read_only" as const) : undefined,
  };
  const made = await withStore((store) => createKeyForWorkspace(store, request));
  const json = { key: made.key, workspace_id: made.workspaceId, root_database_id: made.rootDatabaseId };
  print(values.json === true, json, [
    `API key      ${made.key}  (shown this once: keep it)`,
    `Workspace    ${made.workspaceId}`,
    `Database id  ${made.rootDatabaseId}`,
  ]);
  return 0;
}

async function list(values: Values): Promise<number> {
  const keys = await withStore((store) => listKeys(store, values.workspace));
  const rows = keys.map(asRow);
  const lines = rows.map((row) => [
    row.id,
    row.key,
    row.workspace,
    row.name,
    row.access === "read_only" ? "read-only" : "full",
    `created ${row.created}`,
    row.last_used === null ? "never used" : `used ${row.last_used}`,
    row.revoked !== null ? `revoked ${row.revoked}` : row.expires !== null ? `expires ${row.expires}` : "",
  ]);
  print(values.json === true, rows, rows.length === 0 ? ["There are no keys."] : table(lines));
  return 0;
}

async function rotate(values: Values, which: string | undefined): Promise<number> {
  if (which === undefined) throw new UsageError("keys rotate needs the id or the prefix of a key.");
  const overlap = readDuration("--overlap", values.overlap ?? "24h");
  const { key, stored } = await withStore((store) => rotateKeyOf(store, which, overlap));
  print(values.json === true, { key, id: stored.id, workspace_id: stored.workspaceId }, [
    `API key      ${key}  (shown this once: keep it)`,
    overlap === 0 ? "The old key works no more." : `The old key works on for ${values.overlap ?? "24h"}.`,
  ]);
  return 0;
}

async function revoke(values: Values, which: string | undefined): Promise<number> {
  if (which === undefined) throw new UsageError("keys revoke needs the id or the prefix of a key.");
  const key = await withStore((store) => revokeKeyOf(store, which));
  print(values.json === true, { id: key.id, revoked: true }, [`Revoked ${shownKey(key)} (${key.id}).`]);
  return 0;
}

function asRow(key: ListedApiKey) {
  return {
    id: key.id,
    workspace: key.workspaceName,
    name: key.name,
    key: shownKey(key),
    access: key.access,
    created: isoTime(key.createdTime),
    last_used: isoTime(key.lastUsedTime),
    expires: isoTime(key.expiresTime),
    revoked: isoTime(key.revokedTime),
    replaced_by: key.replacedBy,
  };
}
