import type { Schemas } from "../domain/api-schemas.js";
import { changeDatabase, type Database, editsDatabase } from "../domain/database.js";
import { normalizeId } from "../domain/ids.js";
import type { SchemaPlan } from "../domain/properties/schema-plan.js";
import { updateDatabase as storeDatabase, type VersionedDatabase } from "../storage/databases/databases.js";
import { applySchemaPlan, planSchemaChange } from "./change/schema.js";
import { setInTrash } from "./change/trash.js";
import { checkReferences } from "./check/references.js";
import { createConversionConflictError } from "./conversion/conversion-job.js";
import { requireDatabase } from "./load/pages-and-databases.js";
import { type DatabaseBody, presentDatabase } from "./present/database.js";
import type { WriteScope } from "./execution/scope.js";
import { createInTrashError, parseTrashState } from "../domain/stored-object.js";

type Input = Schemas["UpdateDatabaseBody"];

/** Updates a database, moves it to the trash or restores it. Throws a DomainError, or a ConversionNeededError, see convertValues. */
export async function updateDatabase(
  scope: WriteScope,
  databaseId: string,
  input: Input,
): Promise<DatabaseBody> {
  const found = await requireDatabase(scope, normalizeId(databaseId));
  const isEdited = editsDatabase(input);
  const inTrash = parseTrashState(input) ?? found.inTrash;
  if (isEdited && found.inTrash && inTrash) throw createInTrashError();

  const plan = isEdited ? await checkEdit(scope, found, input) : undefined;
  const isMoved = await setInTrash(scope, "database", found, inTrash);
  const current = isMoved ? await requireDatabase(scope, found.id) : found;
  return presentDatabase(scope, isEdited ? await storeEdit(scope, current, input, plan) : current);
}

/** Checks an edit, and plans the change of the schema; undefined if the edit has no properties. */
async function checkEdit(
  scope: WriteScope,
  database: VersionedDatabase,
  input: Input,
): Promise<SchemaPlan | undefined> {
  const changed = changeDatabase(database, input, scope.edit);
  // The texts that the request does not change can mention objects that have been deleted since.
  const texts = [input.title && changed.title, input.description && changed.description];
  await checkReferences(scope, { texts });
  if (input.properties === undefined) return undefined;
  const { conversionJobId } = database;
  if (conversionJobId !== null && conversionJobId !== scope.conversionJob?.job.id) {
    throw createConversionConflictError();
  }
  return planSchemaChange(scope, changed, input.properties);
}

async function storeEdit(
  scope: WriteScope,
  database: Database,
  input: Input,
  plan: SchemaPlan | undefined,
): Promise<Database> {
  const changed = changeDatabase(database, input, scope.edit);
  // Before the other writes of the edit, see applySchemaPlan. Only a move of the database precedes it.
  const schema = plan === undefined ? changed.schema : await applySchemaPlan(scope, changed.id, plan);
  await storeDatabase(scope, changed);
  return { ...changed, schema };
}
