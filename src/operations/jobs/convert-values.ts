import type { SchemaPlan } from "../../domain/properties/schema-plan.js";
import { newId } from "../../domain/ids.js";
import { raiseLastUniqueNumber } from "../../storage/databases.js";
import { becomeRemoval, deleteJob, insertUnownedJob } from "../../storage/jobs.js";
import { findValuesAfter, hasMorePagesThan } from "../../storage/pages.js";
import type { WriteScope } from "../scope.js";
import { MAX_PAGES_IN_TRANSACTION, PreparationRequired } from "./preparation.js";
import { convertSameValues, newValuesOf, ValueConversion } from "./value-conversion.js";

/**
 * Converts the values of all pages of a database according to a plan, including pages in the trash, and numbers the
 * pages when the plan adds a unique_id property. Uses the values that were prepared, if any.
 *
 * @returns undefined when the plan converts nothing
 * @throws PreparationRequired when the database has too many pages for one transaction, or the plan has changed since
 *   its preparation
 */
export async function convertValues(
  { db, workspaceId, largeChange }: WriteScope,
  databaseId: string,
  plan: SchemaPlan,
): Promise<ValueConversion | undefined> {
  const newValues = newValuesOf(plan);
  const { preparation } = largeChange;
  if (preparation !== undefined) {
    if (convertSameValues(preparation.newValues, newValues)) return preparation.finish(db);
    throw new PreparationRequired(databaseId, newValues);
  }
  if (newValues.conversions.length === 0 && newValues.newUniqueId === null) return undefined;
  if (await hasMorePagesThan(db, workspaceId, databaseId, MAX_PAGES_IN_TRANSACTION)) {
    throw new PreparationRequired(databaseId, newValues);
  }
  const conversion = await ValueConversion.create(db, workspaceId, databaseId, newValues);
  const pages = await findValuesAfter(db, workspaceId, databaseId, "", MAX_PAGES_IN_TRANSACTION);
  const lastNumber = await conversion.convertPages(db, pages);
  await raiseLastUniqueNumber(db, workspaceId, databaseId, lastNumber);
  return conversion;
}

/** Leaves a job that removes the values of properties that a plan removes or converts. */
export async function removeOldValues(
  { db, workspaceId, largeChange }: WriteScope,
  databaseId: string,
  { conversions }: SchemaPlan,
): Promise<void> {
  const propertyIds = conversions.map(({ from }) => from.id);
  if (largeChange.preparation !== undefined) {
    const job = { workspaceId, id: largeChange.preparation.jobId };
    if (propertyIds.length === 0) await deleteJob(db, job);
    else await becomeRemoval(db, job, propertyIds);
    return;
  }
  const hasPages = await hasMorePagesThan(db, workspaceId, databaseId, 0);
  if (propertyIds.length === 0 || !hasPages) return;
  await insertUnownedJob(db, {
    workspaceId,
    id: newId(),
    kind: "remove_values",
    objectId: databaseId,
    propertyIds,
    done: 0,
    total: null,
    createdTime: Date.now(),
  });
}
