import { setPlan as setWorkspacePlan } from "../access/plans.js";
import { describeLimit, PLANS, requestLimit } from "../domain/limits.js";
import { print, formatTable } from "./print.js";
import { withStore } from "./with-store.js";

/** Runs `page-service plans list`. */
export async function listPlans(options: { json?: true }): Promise<void> {
  const rows = PLANS.map((plan) => ({ plan, limit: requestLimit(plan, null) }));
  const lines = rows.map(({ plan, limit }) => [
    plan,
    plan === "enterprise" ? "no limit, or the one set with --limit" : describeLimit(limit),
  ]);
  print(options.json, rows, formatTable(lines));
}

/** Runs `page-service plans set`. */
export async function setPlan(options: {
  workspace: string;
  plan: string;
  limit?: number;
  json?: true;
}): Promise<void> {
  const { workspace, plan, limit } = options;
  const changed = await withStore((store) => setWorkspacePlan(store, workspace, plan, limit));
  const allowed = requestLimit(changed.plan, changed.ownLimit);
  print(options.json, { workspace_id: changed.id, plan: changed.plan, limit: allowed }, [
    `"${changed.name}" is on the plan ${changed.plan}: ${describeLimit(allowed)}.`,
  ]);
}
