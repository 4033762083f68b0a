import { randomInt } from "node:crypto";
import { newDatabase } from "../domain/database.js";
import { newId } from "../domain/ids.js";
import { planSchema } from "../domain/properties/schema-plan.js";
import { findWorkspaceByName, insertWorkspace, type Workspace } from "../storage/accounts/workspaces.js";
import { insertDatabase } from "../storage/databases.js";
import type { Db, StorageScope } from "../storage/tables.js";
import { checkName } from "./checks.js";
import { choosePlan, type PlanSettings } from "./plans.js";

/** Adds a workspace without a database. The name must be valid and unused. */
export async function addWorkspace(tx: Db, name: string, plan: PlanSettings): Promise<Workspace> {
  const workspace = { id: newId(), name, ...plan, createdTime: Date.now() };
  await insertWorkspace(tx, workspace);
  return workspace;
}

/**
 * Adds the database "Pages" to a new workspace, and returns its id. Without an author the workspace itself is recorded as the
 * author, because a workspace that the operator creates has no users yet.
 */
export async function addRootDatabase(scope: StorageScope, authorId = scope.workspaceId): Promise<string> {
  const edit = { author: authorId, time: Date.now() };
  const title = [{ text: { content: "Pages" } }];
  const database = newDatabase(newId(), { type: "workspace" }, { title }, edit);
  const properties = {
    Title: { title: {} },
    Notes: { rich_text: {} },
    Done: { checkbox: {} },
    Points: { number: {} },
  };
  const { schema } = planSchema({ id: database.id, title: "Pages" }, database.schema, properties, new Map());
  await insertDatabase(scope, { ...database, schema });
  return database.id;
}

/** Highest suffix that is tried in order. Further suffixes are random, because thousands of workspaces can have the same name. */
const MAX_COUNTED_SUFFIX = 9;
const MAX_RANDOM_SUFFIX = 1_000_000_000;

/**
 * Creates a workspace on the free plan with a database "Pages" for an account. Appends a number to a name that is in use. Throws
 * a UserError for an invalid name.
 */
export async function createAccountWorkspace(tx: Db, name: string, accountId: string): Promise<Workspace> {
  let unusedName = name;
  for (let suffix = 2; (await findWorkspaceByName(tx, unusedName)) !== undefined; suffix += 1) {
    unusedName = `${name} ${suffix <= MAX_COUNTED_SUFFIX ? suffix : randomInt(MAX_COUNTED_SUFFIX, MAX_RANDOM_SUFFIX)}`;
  }
  // Checked with its suffix, which makes it longer.
  checkName("workspace", unusedName);
  const workspace = await addWorkspace(tx, unusedName, choosePlan({}));
  await addRootDatabase({ db: tx, workspaceId: workspace.id }, accountId);
  return workspace;
}
