import {
  describeLimit,
  UNLIMITED_REQUESTS_PER_MINUTE,
  isUnlimited,
  type Plan,
  PLANS,
} from "../../domain/plans.js";
import { insertAuditEvent } from "../../storage/access/audit.js";
import type { Db } from "../../storage/tables.js";
import { setWorkspacePlan, type Workspace } from "../../storage/access/workspaces.js";
import { UserError } from "../../errors.js";
import { OPERATOR } from "../audit.js";

/** Plan of a workspace, and its own limit in requests per minute if the plan is "enterprise". */
export type PlanSettings = Pick<Workspace, "plan" | "customRequestLimit">;

/**
 * Determines the new plan and limit of a workspace. An omitted value stays as in `current`, except that other plans than
 * "enterprise" lose their custom limit. A new workspace has no `current`, and gets the plan "free" by default. Throws a UserError
 * for an unknown plan, and for a limit with a plan other than "enterprise".
 */
export function choosePlan(
  requested: { readonly plan?: string | undefined; readonly limit?: number | undefined },
  current?: PlanSettings,
): PlanSettings {
  const plan = requested.plan === undefined ? (current?.plan ?? "free") : parsePlan(requested.plan);
  if (requested.limit !== undefined) {
    checkRequestLimit(requested.limit);
    if (plan !== "enterprise") {
      throw new UserError(
        `The limit of the plan "${plan}" is fixed. Omit the limit, or choose the plan "enterprise".`,
      );
    }
  }
  return {
    plan,
    customRequestLimit:
      plan === "enterprise" ? (requested.limit ?? current?.customRequestLimit ?? null) : null,
  };
}

/** Changes the plan of a workspace on behalf of the operator, and records it in the audit log. Takes effect within a second. */
export async function changePlan(
  tx: Db,
  workspace: Workspace,
  { plan, customRequestLimit }: PlanSettings,
): Promise<Workspace> {
  if (plan === workspace.plan && customRequestLimit === workspace.customRequestLimit) return workspace;
  const scope = { db: tx, workspaceId: workspace.id };
  await setWorkspacePlan(scope, plan, customRequestLimit);
  const entry = {
    action: "plan.changed",
    subjectId: workspace.id,
    subjectName: workspace.name,
    detail: `from ${describePlan(workspace)} to ${describePlan({ plan, customRequestLimit })}`,
  } as const;
  await insertAuditEvent(scope, OPERATOR, entry);
  return { ...workspace, plan, customRequestLimit };
}

function describePlan({ plan, customRequestLimit }: PlanSettings): string {
  return customRequestLimit === null || isUnlimited(customRequestLimit)
    ? plan
    : `${plan} with ${describeLimit(customRequestLimit)}`;
}

function parsePlan(plan: string): Plan {
  const knownPlan = PLANS.find((name) => name === plan);
  if (knownPlan === undefined) {
    throw new UserError(`There is no plan "${plan}". Choose one of: ${PLANS.join(", ")}.`);
  }
  return knownPlan;
}

function checkRequestLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > UNLIMITED_REQUESTS_PER_MINUTE) {
    throw new UserError(
      `The limit must be a whole number of requests per minute from 1 to ${UNLIMITED_REQUESTS_PER_MINUTE}, or "none".`,
    );
  }
}
