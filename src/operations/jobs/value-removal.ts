import { MAX_BATCH_BYTES, MAX_BATCH_PAGES } from "../../budgets.js";
import { getIds } from "../../lists.js";
import type { RowLimit } from "../../storage/row-limit.js";
import { findDatabase, type VersionedDatabase } from "../../storage/databases/databases.js";
import { findPropertyIdsOfJob } from "../../storage/jobs.js";
import { findPageValuesAfter, updatePageValues } from "../../storage/pages/page-values.js";
import { deleteOtherPropertyValues } from "../../storage/pages/property-values.js";
import { BEFORE_FIRST_ID } from "../../storage/sql-helpers.js";
import type { StorageScope } from "../../storage/tables.js";
import type { JobHandler } from "./job-handler.js";

const BATCH_LIMIT: RowLimit = { count: MAX_BATCH_PAGES, bytes: MAX_BATCH_BYTES };

/** Removes the values of properties that are not in the schema of the database. The state is the id of the last page of a batch. */
export const VALUE_REMOVAL: JobHandler<string> = {
  isForeground: false,
  async runBatch(scope, { objectId }, lastPageId = BEFORE_FIRST_ID) {
    const database = await findDatabase(scope, objectId);
    if (database === undefined) return { doneCount: 0, nextState: null };
    const keptIds = await findKeptPropertyIds(scope, database);
    const found = await findPageValuesAfter(scope, objectId, lastPageId, BATCH_LIMIT);
    const pages = found.slice(0, await deleteOtherPropertyValues(scope, getIds(found), keptIds));
    const changed = pages.flatMap(({ id, properties }) => {
      const entries = Object.entries(properties);
      const remaining = entries.filter(([propertyId]) => keptIds.has(propertyId));
      if (remaining.length === entries.length) return [];
      return { id, json: JSON.stringify(Object.fromEntries(remaining)) };
    });
    await updatePageValues(scope, changed);
    const nextState = found.length === 0 ? null : (pages.at(-1)?.id ?? lastPageId);
    return { doneCount: pages.length, nextState };
  },
};

/** Finds the properties in the schema, and those whose values a running conversion writes before they are in the schema. */
async function findKeptPropertyIds(
  scope: StorageScope,
  { schema, conversionJobId }: VersionedDatabase,
): Promise<ReadonlySet<string>> {
  const convertedIds = conversionJobId === null ? [] : await findPropertyIdsOfJob(scope, conversionJobId);
  return new Set([...getIds(schema.definitions), ...convertedIds]);
}
