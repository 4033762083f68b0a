import { setPlan as setWorkspacePlan } from "../access/plans.js";
import { describeBytes, describeLimit, PLANS, requestLimit, STORAGE_LIMIT_BYTES } from "../domain/limits.js";
import { printList, printResult } from "./print.js";
import { withStore } from "./with-store.js";

/** Runs `page-service plans list`. */
export async function listPlans(options: { json?: true }): Promise<void> {
  const rows = PLANS.map((plan) => ({
    plan,
    limit: requestLimit(plan, null),
    storage_bytes: STORAGE_LIMIT_BYTES[plan] === Infinity ? null : STORAGE_LIMIT_BYTES[plan],
  }));
  const cells = rows.map(({ plan, limit }) => [
    plan,
    plan === "enterprise" ? "no limit, or the one set with --limit" : describeLimit(limit),
    `storage: ${describeBytes(STORAGE_LIMIT_BYTES[plan])}`,
  ]);
  printList(options.json, rows, cells);
}

/** Runs `page-service plans set`. */
export async function setPlan(options: {
  workspace: string;
  plan: string;
  limit?: number;
  json?: true;
}): Promise<void> {
  const { workspace, plan, limit } = options;
  const updated = await withStore((store) => setWorkspacePlan(store, workspace, plan, limit));
  const allowed = requestLimit(updated.plan, updated.ownLimit);
  printResult(options.json, { workspace_id: updated.id, plan: updated.plan, limit: allowed }, [
    `"${updated.name}" is on the plan ${updated.plan}: ${describeLimit(allowed)}.`,
  ]);
}
