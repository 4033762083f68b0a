import { setPlan as setWorkspacePlan } from "../access/workspaces/workspaces.js";
import {
  describeBytes,
  describeLimit,
  PLANS,
  getRequestLimit,
  STORAGE_LIMIT_BYTES,
} from "../domain/plans.js";
import { printList, printResult, toJsonLimit } from "./print.js";
import { withStore } from "./with-store.js";

/** `page-service plans list`: prints the plans with their limits. */
export async function listPlans(options: { json?: true }): Promise<void> {
  const rows = PLANS.map((plan) => ({
    plan,
    limit: toJsonLimit(getRequestLimit(plan)),
    storage_bytes: STORAGE_LIMIT_BYTES[plan] === Infinity ? null : STORAGE_LIMIT_BYTES[plan],
  }));
  printList(options.json, rows, "There are no plans.", {
    PLAN: ({ plan }) => plan,
    REQUESTS: ({ plan }) =>
      plan === "enterprise" ? "no limit, or the one set with --limit" : describeLimit(getRequestLimit(plan)),
    STORAGE: ({ plan }) => describeBytes(STORAGE_LIMIT_BYTES[plan]),
  });
}

/** `page-service plans set`: moves a workspace to a plan. */
export async function setPlan(options: {
  workspace: string;
  plan: string;
  limit?: number;
  json?: true;
}): Promise<void> {
  const { workspace, plan, limit } = options;
  const updated = await withStore((store) => setWorkspacePlan(store, workspace, plan, limit));
  const allowed = getRequestLimit(updated.plan, updated.customRequestLimit);
  printResult(options.json, { workspace_id: updated.id, plan: updated.plan, limit: toJsonLimit(allowed) }, [
    `"${updated.name}" is on the plan ${updated.plan}: ${describeLimit(allowed)}.`,
  ]);
}
