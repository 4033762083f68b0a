import { MAX_CHANGED_SCHEMA_BYTES, MAX_READ_BYTES } from "../../budgets.js";
import { createValidationError } from "../../domain/errors.js";
import {
  planSchema,
  findRelatedDatabaseIds,
  type SchemaPlan,
  type SyncedPropertyChange,
} from "../../domain/properties/schema-plan.js";
import { getOrCreate } from "../../get-or-create.js";
import { sumBy } from "../../lists.js";
import { checkSchemaSize } from "../../domain/properties/schema-size.js";
import type { Database } from "../../domain/database.js";
import { toPlainText } from "../../domain/properties/plain-text.js";
import { createSchema, type Schema } from "../../domain/schema.js";
import {
  findDatabase,
  findSchemas,
  incrementVersionsOfAllPages,
  readDatabaseBytes,
  updateSchema,
} from "../../storage/databases/databases.js";
import type { Scope, WriteScope } from "../execution/scope.js";
import { convertValues, startValueRemoval } from "../conversion/convert-values.js";
import { startAddingReverseLinks } from "../jobs/add-reverse-links.js";
import type { PropertyInput } from "../../domain/properties/property-config.js";

const EMPTY_SCHEMA = createSchema([]);

/** Plans schema changes, see planSchema. Throws a DomainError (validation) also for related schemas that are too large. */
export async function planSchemaChange(
  scope: Scope,
  { id, title, schema }: Pick<Database, "id" | "title" | "schema">,
  inputs: Readonly<Record<string, PropertyInput | null>>,
): Promise<SchemaPlan> {
  // Only a rollup needs the targets of existing relations. Their schemas take time, while other writes wait.
  const configuresRollup = Object.values(inputs).some((input) => input?.rollup !== undefined);
  const relatedIds = [...findRelatedDatabaseIds(configuresRollup ? schema : EMPTY_SCHEMA, inputs)];
  const relatedBytes = await readTotalBytes(scope, relatedIds);
  if (relatedBytes > MAX_READ_BYTES) {
    throw createValidationError(
      `The databases that the relations lead to have ${relatedBytes} bytes of properties and options together. ` +
        `Use at most ${MAX_READ_BYTES}: fewer options, or fewer relations.`,
    );
  }
  const { schemas: related } = await findSchemas(scope, relatedIds);
  const plan = planSchema({ id, title: toPlainText(title) }, schema, inputs, related);
  const changedIds = [...new Set(plan.syncedPropertyChanges.map(({ databaseId }) => databaseId))];
  const changedBytes = changedIds.length > 1 ? await readTotalBytes(scope, changedIds) : 0;
  if (changedBytes > MAX_CHANGED_SCHEMA_BYTES) {
    throw createValidationError(
      `The databases at the other side of the changed two-way relations have ${changedBytes} bytes of properties and ` +
        `options together. Use at most ${MAX_CHANGED_SCHEMA_BYTES}: change fewer relations at once.`,
    );
  }
  return plan;
}

async function readTotalBytes(scope: Scope, databaseIds: readonly string[]): Promise<number> {
  const bytesById = await readDatabaseBytes(scope, databaseIds);
  return sumBy(bytesById.values(), (bytes) => bytes);
}

/** Applies a plan to a database, and returns the new schema. Throws a ConversionNeededError if too many pages must be converted. */
export async function applySchemaPlan(
  scope: WriteScope,
  databaseId: string,
  plan: SchemaPlan,
): Promise<Schema> {
  // Before other writes, because the use case runs again after a ConversionNeededError.
  const converter = await convertValues(scope, databaseId, plan);
  const changesByDatabase = new Map<string, SyncedPropertyChange[]>();
  for (const change of plan.syncedPropertyChanges)
    getOrCreate(changesByDatabase, change.databaseId, () => []).push(change);
  for (const [changedId, changes] of changesByDatabase)
    await changeSyncedProperties(scope, changedId, changes);
  const schema =
    converter === undefined
      ? plan.schema
      : createSchema(converter.replaceDefinitions(plan.schema.definitions));
  checkSchemaSize(schema);
  await startValueRemoval(scope, databaseId, plan);
  await updateSchema(scope, databaseId, schema, scope.edit);
  // A conversion to a relation or a computed property needs no converter, but removes the old values.
  const hasConversion = plan.conversions.some(({ to }) => to !== null);
  if (converter !== undefined || hasConversion) await incrementVersionsOfAllPages(scope, [databaseId]);
  await startAddingReverseLinks(scope, databaseId, plan.newTwoWayRelations);
  return schema;
}

/** Adds synced properties to another database, or makes them one-way relations. */
async function changeSyncedProperties(
  scope: WriteScope,
  databaseId: string,
  changes: readonly SyncedPropertyChange[],
): Promise<void> {
  const database = await findDatabase(scope, databaseId);
  if (database === undefined) return;
  const added = changes.flatMap((change) => (change.kind === "add" ? [change.property] : []));
  const detachedIds = new Set(
    changes.flatMap((change) => (change.kind === "detach" ? [change.propertyId] : [])),
  );
  const kept = database.schema.definitions.map((definition) =>
    detachedIds.has(definition.id) && definition.type === "relation"
      ? { ...definition, syncedPropertyId: null }
      : definition,
  );
  const changed = createSchema([...kept, ...added]);
  checkSchemaSize(changed);
  // The last edit of a database in the trash is the move, by which the trash is sorted and emptied.
  const lastEdit = { author: database.lastEditedBy, time: database.lastEditedTime };
  await updateSchema(scope, databaseId, changed, database.inTrash ? lastEdit : scope.edit);
}
