import { parseArgs } from "node:util";
import { requireWorkspace } from "../access/plans.js";
import { requestLimit } from "../domain/limits.js";
import { listAuditEvents } from "../storage/audit.js";
import { listWorkspaces } from "../storage/workspaces.js";
import { isoTime, print, table } from "./print.js";
import { UsageError } from "./usage.js";
import { withStore } from "./with-store.js";

/** Entries of a log that are printed. */
const LOG_LENGTH = 1000;

/** `page-service workspaces list|log`; `--json` prints what a program can read. */
export async function workspacesCommand(args: string[]): Promise<number> {
  const [action, ...rest] = args;
  const { values } = parseArgs({
    args: rest,
    options: { workspace: { type: "string" }, json: { type: "boolean", default: false } },
  });
  switch (action) {
    case "list": {
      const workspaces = await withStore((store) => listWorkspaces(store.read));
      const rows = workspaces.map(({ id, name, plan, ownLimit, createdTime }) => ({
        id,
        name,
        plan,
        limit: requestLimit(plan, ownLimit),
        created: isoTime(createdTime),
      }));
      const lines = rows.map((row) => [
        row.id,
        row.name,
        row.plan,
        `${row.limit} a minute`,
        `created ${row.created}`,
      ]);
      print(values.json, rows, rows.length === 0 ? ["There are no workspaces."] : table(lines));
      return 0;
    }
    case "log": {
      const { workspace: name } = values;
      if (name === undefined) throw new UsageError("workspaces log needs --workspace NAME.");
      const events = await withStore(async (store) =>
        listAuditEvents(store.read, (await requireWorkspace(store.read, name)).id, LOG_LENGTH),
      );
      const rows = events.map(({ time, actor, action: done, subjectId, subjectName, detail }) => ({
        time: isoTime(time),
        actor: actor.name,
        action: done,
        subject_id: subjectId,
        subject: subjectName,
        detail,
      }));
      const lines = rows.map((row) => [row.time ?? "", row.actor, row.action, row.subject, row.detail]);
      print(values.json, rows, rows.length === 0 ? ["Nothing was done yet."] : table(lines));
      return 0;
    }
    default:
      throw new UsageError("workspaces can list and log.");
  }
}
