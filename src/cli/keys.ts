import { parseArgs } from "node:util";
import { createKeyForWorkspace, listKeys, revokeKey } from "../access/provision.js";
import { UsageError } from "./usage.js";
import { withStore } from "./with-store.js";

/** `page-service keys create|list|revoke`; `--json` prints what a program can read. */
export async function keysCommand(args: string[]): Promise<number> {
  const [action, ...rest] = args;
  const { values, positionals } = parseArgs({
    args: rest,
    allowPositionals: true,
    options: {
      workspace: { type: "string" },
      plan: { type: "string" },
      limit: { type: "string" },
      name: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const print = (json: object, lines: string[]): void =>
    console.log(values.json ? JSON.stringify(json) : lines.join("\n"));
  switch (action) {
    case "create": {
      const { workspace: workspaceName, plan, limit, name: keyName } = values;
      if (workspaceName === undefined) throw new UsageError("keys create needs --workspace NAME.");
      const request = {
        workspaceName,
        plan,
        limit: limit === undefined ? undefined : wholeNumber(limit),
        keyName,
      };
      const made = await withStore((store) => createKeyForWorkspace(store, request));
      print({ key: made.key, workspace_id: made.workspaceId, root_database_id: made.rootDatabaseId }, [
        `API key      ${made.key}  (shown this once: keep it)`,
        `Workspace    ${made.workspaceId}`,
        `Database id  ${made.rootDatabaseId}`,
      ]);
      return 0;
    }
    case "list": {
      const keys = await withStore((store) => listKeys(store, values.workspace));
      const rows = keys.map((key) => ({
        id: key.id,
        workspace: key.workspaceName,
        name: key.name,
        key: `${key.prefix}…${key.lastFour}`,
        created: new Date(key.createdTime).toISOString(),
        revoked: key.revokedTime === null ? null : new Date(key.revokedTime).toISOString(),
      }));
      print(
        rows,
        rows.length === 0
          ? ["There are no keys."]
          : rows.map(({ id, workspace, name, key, created, revoked }) =>
              [
                id,
                key,
                workspace,
                name,
                `created ${created}`,
                ...(revoked ? [`revoked ${revoked}`] : []),
              ].join("  "),
            ),
      );
      return 0;
    }
    case "revoke": {
      const [which] = positionals;
      if (which === undefined) throw new UsageError("keys revoke needs the id or the prefix of a key.");
      const key = await withStore((store) => revokeKey(store, which));
      print({ id: key.id, revoked: true }, [`Revoked ${key.prefix}…${key.lastFour} (${key.id}).`]);
      return 0;
    }
    default:
      throw new UsageError("keys can create, list and revoke.");
  }
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text))
    throw new UsageError(`--limit must be a whole number of requests a minute, not ${JSON.stringify(text)}.`);
  return Number(text);
}
