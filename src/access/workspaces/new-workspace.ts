import { randomInt } from "node:crypto";
import { createDatabaseObject } from "../../domain/database.js";
import { newId } from "../../domain/ids.js";
import { planSchema } from "../../domain/properties/schema-plan.js";
import { findWorkspaceByName, insertWorkspace, type Workspace } from "../../storage/access/workspaces.js";
import { insertDatabase } from "../../storage/databases/databases.js";
import type { Db, StorageScope } from "../../storage/tables.js";
import { insertUser } from "../../storage/users.js";
import { OPERATOR } from "../audit.js";
import { checkName } from "../checks.js";
import { choosePlan, type PlanSettings } from "./plans.js";

/** Adds a workspace without a database. The name must be valid and unused. */
export async function addWorkspace(tx: Db, name: string, plan: PlanSettings): Promise<Workspace> {
  const workspace = { id: newId(), name, ...plan, createdTime: Date.now() };
  await insertWorkspace(tx, workspace);
  return workspace;
}

/** Adds the database "Pages" to a new workspace, and returns its id. Its author is a new bot if `author` is omitted. */
export async function addRootDatabase(scope: StorageScope, author?: string): Promise<string> {
  const edit = { author: author ?? (await addOperatorBot(scope)), time: Date.now() };
  const title = [{ text: { content: "Pages" } }];
  const database = createDatabaseObject({ type: "workspace" }, { title }, edit);
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

/** Adds the author of content that the operator creates in a workspace without users, so that the API can return this user. */
async function addOperatorBot(scope: StorageScope): Promise<string> {
  const bot = { id: newId(), type: "bot", name: OPERATOR.name, email: null, avatarUrl: null } as const;
  await insertUser(scope, { ...bot, createdTime: Date.now() });
  return bot.id;
}

/** Highest suffix that is tried in order. Further suffixes are random, because thousands of workspaces can have the same name. */
const MAX_COUNTED_SUFFIX = 9;
const MAX_RANDOM_SUFFIX = 1_000_000_000;

/** Creates a free workspace with a database "Pages". Appends a number to a used name. Throws a UserError for an invalid one. */
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
