import type { Schemas } from "../domain/api-schemas.js";
import { createDatabaseObject } from "../domain/database.js";
import { createValidationError } from "../domain/errors.js";
import type { Parent } from "../domain/stored-object.js";
import { parseSingleKey } from "../domain/single-key.js";
import { insertDatabase } from "../storage/databases/databases.js";
import { addToParentPage } from "./change/add-blocks.js";
import { applySchemaPlan, planSchemaChange } from "./change/schema.js";
import { checkReferences } from "./check/references.js";
import { requireParentPage } from "./load/pages-and-databases.js";
import { type DatabaseBody, presentDatabase } from "./present/database.js";
import type { Scope, WriteScope } from "./execution/scope.js";

/** Creates a database in a page or the workspace. Throws a DomainError for an invalid property, or an unknown or trashed page. */
export async function createDatabase(
  scope: WriteScope,
  input: Schemas["CreateDatabaseBody"],
): Promise<DatabaseBody> {
  const parent = await findParent(scope, input.parent);
  const database = createDatabaseObject(parent, input, scope.edit);
  const plan = await planSchemaChange(scope, database, input.properties);
  await checkReferences(scope, { texts: [database.title, database.description] });

  await insertDatabase(scope, database);
  const schema = await applySchemaPlan(scope, database.id, plan);
  await addToParentPage(scope, database, "child_database");
  return presentDatabase(scope, { ...database, schema });
}

async function findParent(scope: Scope, input: Schemas["ParentInput"]): Promise<Parent> {
  const { kind, value } = parseSingleKey(input, ["page_id", "database_id", "workspace"], "body.parent");
  switch (kind) {
    case "workspace":
      return { type: kind };
    case "database_id":
      throw createValidationError(
        "A database can be in a page or in the workspace, but not in another database.",
      );
    case "page_id":
      return requireParentPage(scope, value);
  }
}
