import type { Kysely } from "kysely";
import type { Plan } from "../domain/limits.js";
import { type Actor, insertAuditEvent } from "../storage/audit.js";
import type { Store } from "../storage/store.js";
import type { Tables } from "../storage/tables.js";
import { findWorkspaceByName, setWorkspacePlan, type Workspace } from "../storage/workspaces.js";
import { checkLimit, checkPlan, ProvisionError } from "./checks.js";
import { OPERATOR } from "./keys.js";

/** The plan that a workspace is to be on. */
export interface PlanOrder {
  readonly plan: Plan;
  /** Requests a minute agreed with an enterprise workspace; null for none, and with every other plan. */
  readonly ownLimit: number | null;
}

/**
 * Works out the plan of a workspace from what was asked for and what it has.
 *
 * @param asked What is left out stays as it is; a new workspace is on "free".
 * @throws ProvisionError when there is no such plan, or it cannot have the limit.
 */
export function choosePlan(
  asked: { readonly plan?: string | undefined; readonly limit?: number | undefined },
  present: PlanOrder | undefined,
): PlanOrder {
  const plan = asked.plan === undefined ? (present?.plan ?? "free") : checkPlan(asked.plan);
  if (asked.limit !== undefined) {
    checkLimit(asked.limit);
    if (plan !== "enterprise") {
      throw new ProvisionError(
        `The limit of the plan "${plan}" is fixed. Leave the limit out, or choose the plan "enterprise".`,
      );
    }
  }
  return { plan, ownLimit: plan === "enterprise" ? (asked.limit ?? present?.ownLimit ?? null) : null };
}

/** Puts a workspace on a plan, which counts within a second, and notes it in the log; nothing when it has it already. */
export async function changePlan(
  tx: Kysely<Tables>,
  workspace: Workspace,
  { plan, ownLimit }: PlanOrder,
  actor: Actor,
): Promise<Workspace> {
  if (plan === workspace.plan && ownLimit === workspace.ownLimit) return workspace;
  await setWorkspacePlan(tx, workspace.id, plan, ownLimit);
  const entry = {
    action: "plan.changed",
    subjectId: workspace.id,
    subjectName: workspace.name,
    detail: `from ${describe(workspace)} to ${describe({ plan, ownLimit })}`,
  };
  await insertAuditEvent(tx, workspace.id, actor, entry, Date.now());
  return { ...workspace, plan, ownLimit };
}

/**
 * Puts the workspace of a name on a plan.
 *
 * @throws ProvisionError when there is no such workspace or plan, or the plan cannot have the limit.
 */
export function setPlan(
  store: Store,
  workspaceName: string,
  plan: string,
  limit: number | undefined,
): Promise<Workspace> {
  return store.write(async (tx) => {
    const workspace = await requireWorkspace(tx, workspaceName);
    return changePlan(tx, workspace, choosePlan({ plan, limit }, workspace), OPERATOR);
  });
}

/**
 * Reads the workspace of a name.
 *
 * @throws ProvisionError when there is none.
 */
export async function requireWorkspace(db: Kysely<Tables>, name: string): Promise<Workspace> {
  const workspace = await findWorkspaceByName(db, name);
  if (workspace === undefined) {
    throw new ProvisionError(
      `There is no workspace "${name}". List the workspaces to see the names that there are.`,
    );
  }
  return workspace;
}

function describe({ plan, ownLimit }: PlanOrder): string {
  return ownLimit === null ? plan : `${plan} with ${ownLimit} a minute`;
}
