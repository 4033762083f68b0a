import { parseArgs } from "node:util";
import { createPerson, listWorkspaceUsers } from "../access/people.js";
import { allowPasswordReset } from "../access/password-changes.js";
import { readConfig } from "../config.js";
import { UsageError } from "./usage.js";
import { withStore } from "./with-store.js";

/** `page-service users create|list|reset-password`; `--json` prints what a program can read. */
export async function usersCommand(args: string[]): Promise<number> {
  const [action, ...rest] = args;
  const { values, positionals } = parseArgs({
    args: rest,
    allowPositionals: true,
    options: {
      workspace: { type: "string" },
      name: { type: "string" },
      email: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const { workspace: workspaceName, name, email } = values;
  const print = (json: object, lines: string[]): void =>
    console.log(values.json ? JSON.stringify(json) : lines.join("\n"));
  switch (action) {
    case "create": {
      if (workspaceName === undefined || name === undefined || email === undefined) {
        throw new UsageError("users create needs --workspace NAME, --name NAME and --email ADDRESS.");
      }
      const user = await withStore((store) => createPerson(store, { workspaceName, name, email }));
      print({ id: user.id }, [`User id  ${user.id}`]);
      return 0;
    }
    case "list": {
      if (workspaceName === undefined) throw new UsageError("users list needs --workspace NAME.");
      const users = await withStore((store) => listWorkspaceUsers(store, workspaceName));
      const rows = users.map(({ id, type, name: called, email: address }) => ({
        id,
        type,
        name: called,
        email: address,
      }));
      print(
        rows,
        rows.map((row) =>
          [row.id, row.type, row.name, ...(row.email === null ? [] : [row.email])].join("  "),
        ),
      );
      return 0;
    }
    case "reset-password": {
      const [address] = positionals;
      if (address === undefined) throw new UsageError("users reset-password needs the e-mail ADDRESS.");
      const token = await withStore((store) => allowPasswordReset(store, address));
      const link = `${readConfig(process.env).appUrl}/reset/${token}`;
      print({ link }, [
        `Link  ${link}`,
        "It sets a new password, once, within an hour: give it to nobody else.",
      ]);
      return 0;
    }
    default:
      throw new UsageError("users can create, list and reset-password.");
  }
}
