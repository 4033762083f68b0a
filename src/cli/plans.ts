import { parseArgs } from "node:util";
import { setPlan } from "../access/plans.js";
import { HIGHEST_REQUEST_LIMIT, PLANS, requestLimit } from "../domain/limits.js";
import { print, table } from "./print.js";
import { readLimit } from "./read-options.js";
import { UsageError } from "./usage.js";
import { withStore } from "./with-store.js";

/** `page-service plans list|set`; `--json` prints what a program can read. */
export async function plansCommand(args: string[]): Promise<number> {
  const [action, ...rest] = args;
  const { values } = parseArgs({
    args: rest,
    options: {
      workspace: { type: "string" },
      plan: { type: "string" },
      limit: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  switch (action) {
    case "list": {
      const rows = PLANS.map((plan) => ({ plan, limit: requestLimit(plan, null) }));
      const lines = rows.map(({ plan, limit }) => [
        plan,
        limit === HIGHEST_REQUEST_LIMIT
          ? "no limit, or one of its own (--limit)"
          : `${limit} requests a minute`,
      ]);
      print(values.json, rows, table(lines));
      return 0;
    }
    case "set": {
      const { workspace, plan } = values;
      if (workspace === undefined || plan === undefined) {
        throw new UsageError("plans set needs --workspace NAME and --plan PLAN.");
      }
      const limit = readLimit(values.limit);
      const changed = await withStore((store) => setPlan(store, workspace, plan, limit));
      const allowed = requestLimit(changed.plan, changed.ownLimit);
      print(values.json, { workspace_id: changed.id, plan: changed.plan, limit: allowed }, [
        `${changed.name} is on the plan ${changed.plan}: ${allowed} requests a minute.`,
      ]);
      return 0;
    }
    default:
      throw new UsageError("plans can list and set.");
  }
}
