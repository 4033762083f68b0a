import { randomInt } from "node:crypto";
import { newDatabase } from "../domain/database.js";
import { newId } from "../domain/ids.js";
import { planSchema } from "../domain/properties/schema-plan.js";
import { findWorkspaceByName, insertWorkspace, type Workspace } from "../storage/accounts/workspaces.js";
import { insertDatabase } from "../storage/databases.js";
import type { Db, StorageScope } from "../storage/tables.js";
import { checkName } from "./checks.js";
import { choosePlan, type PlanChoice } from "./plans.js";

/** Adds a workspace without a database. The caller has checked the name, and that no workspace has it. */
export async function addWorkspace(tx: Db, name: string, plan: PlanChoice): Promise<Workspace> {
  const workspace = { id: newId(), name, ...plan, createdTime: Date.now() };
  await insertWorkspace(tx, workspace);
  return workspace;
}

/** Adds the database "Pages" to a new workspace, and returns its id. `createdBy` is the id of its author, or of the workspace. */
export async function addRootDatabase(scope: StorageScope, createdBy: string): Promise<string> {
  const edit = { author: createdBy, time: Date.now() };
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

/** Creates a free workspace with a database "Pages". Appends a number to a used name. Throws a UserError for an invalid name. */
export async function createUserWorkspace(tx: Db, name: string, createdBy: string): Promise<Workspace> {
  let freeName = name;
  for (let suffix = 2; (await findWorkspaceByName(tx, freeName)) !== undefined; suffix += 1) {
    freeName = `${name} ${suffix <= MAX_COUNTED_SUFFIX ? suffix : randomInt(MAX_COUNTED_SUFFIX, MAX_RANDOM_SUFFIX)}`;
  }
  checkName("workspace", freeName);
  const workspace = await addWorkspace(tx, freeName, choosePlan({}));
  await addRootDatabase({ db: tx, workspaceId: workspace.id }, createdBy);
  return workspace;
}
