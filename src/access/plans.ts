import type { Plan } from "../domain/limits.js";
import { type Actor, insertAuditEvent } from "../storage/accounts/audit.js";
import type { Store } from "../storage/engine/store.js";
import type { Db } from "../storage/tables.js";
import { findWorkspaceByName, setWorkspacePlan, type Workspace } from "../storage/accounts/workspaces.js";
import { checkLimit, parsePlan } from "./checks.js";
import { UserError } from "./errors.js";
import { OPERATOR } from "./actors.js";

export interface PlanChoice {
  readonly plan: Plan;
  /** Requests per minute agreed with an enterprise workspace; null for all others. */
  readonly customRequestLimit: number | null;
}

/**
 * Determines the plan of a workspace. Omitted values are unchanged, and a new workspace is on "free". Throws a UserError
 * when there is no such plan, or it cannot have the limit.
 */
export function choosePlan(
  requested: { readonly plan?: string | undefined; readonly limit?: number | undefined },
  current: PlanChoice | undefined,
): PlanChoice {
  const plan = requested.plan === undefined ? (current?.plan ?? "free") : parsePlan(requested.plan);
  if (requested.limit !== undefined) {
    checkLimit(requested.limit);
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

/** Changes the plan of a workspace, which takes effect within a second, and logs it. */
export async function changePlan(
  tx: Db,
  workspace: Workspace,
  { plan, customRequestLimit }: PlanChoice,
  actor: Actor,
): Promise<Workspace> {
  if (plan === workspace.plan && customRequestLimit === workspace.customRequestLimit) return workspace;
  const scope = { db: tx, workspaceId: workspace.id };
  await setWorkspacePlan(scope, plan, customRequestLimit);
  const entry = {
    action: "plan.changed",
    subjectId: workspace.id,
    subjectName: workspace.name,
    detail: `from ${describePlan(workspace)} to ${describePlan({ plan, customRequestLimit })}`,
  };
  await insertAuditEvent(scope, actor, entry);
  return { ...workspace, plan, customRequestLimit };
}

/** Changes the plan of the workspace with a name. Throws a UserError as requireWorkspace and choosePlan do. */
export function setPlan(
  store: Store,
  workspaceName: string,
  plan: string,
  limit: number | undefined,
): Promise<Workspace> {
  return store.writeServiceWide(async (tx) => {
    const workspace = await requireWorkspace(tx, workspaceName);
    return changePlan(tx, workspace, choosePlan({ plan, limit }, workspace), OPERATOR);
  });
}

/** Finds a workspace by its name. Throws a UserError when there is none. */
export async function requireWorkspace(db: Db, name: string): Promise<Workspace> {
  const workspace = await findWorkspaceByName(db, name);
  if (workspace === undefined) {
    throw new UserError(
      `There is no workspace "${name}". Run \`page-service workspaces list\` to see all names.`,
    );
  }
  return workspace;
}

function describePlan({ plan, customRequestLimit }: PlanChoice): string {
  return customRequestLimit === null ? plan : `${plan} with ${customRequestLimit} requests per minute`;
}
