import type { SchemaPlan } from "../../domain/properties/schema-plan.js";
import { isComputedProperty } from "../../domain/schema.js";
import { findDatabase, raiseLastUniqueNumber } from "../../storage/databases/databases.js";
import { requestValueRemoval } from "../../storage/jobs.js";
import { hasMorePagesThan } from "../../storage/pages/pages.js";
import { findPageValuesAfter } from "../../storage/pages/page-values.js";
import { BEFORE_FIRST_ID } from "../../storage/sql-helpers.js";
import type { WriteScope } from "../execution/scope.js";
import { ConversionNeededError } from "./conversion-job.js";
import { haveSameConversions, findValueChanges, PageConverter } from "./page-converter.js";

/**
 * Converts the values of all pages of a database, also in the trash, or finishes the conversion job that ran before this
 * transaction. Returns undefined when the plan converts nothing. Throws a ConversionNeededError when the pages do not fit into
 * one batch, or when the job was for other properties.
 */
export async function convertValues(
  scope: WriteScope,
  databaseId: string,
  plan: SchemaPlan,
): Promise<PageConverter | undefined> {
  const { conversionJob } = scope;
  const valueChanges = findValueChanges(plan);
  if (conversionJob !== undefined) {
    if (haveSameConversions(conversionJob.converter.valueChanges, valueChanges))
      return conversionJob.finish(scope);
    throw new ConversionNeededError(databaseId, valueChanges);
  }
  if (valueChanges.conversions.length === 0 && valueChanges.newUniqueId === null) return undefined;
  const database = await findDatabase(scope, databaseId);
  if (database === undefined) throw new Error(`there is no database ${databaseId}`);
  const converter = new PageConverter(database, valueChanges);
  const pages = await findPageValuesAfter(scope, databaseId, BEFORE_FIRST_ID, converter.batchLimit);
  if (await hasMorePagesThan(scope, databaseId, pages.length)) {
    throw new ConversionNeededError(databaseId, valueChanges);
  }
  const { count, lastNumber } = await converter.convertPages(scope, pages, { mustFit: true });
  if (count < pages.length) throw new ConversionNeededError(databaseId, valueChanges);
  await raiseLastUniqueNumber(scope, databaseId, lastNumber);
  return converter;
}

/** Requests the removal of the old values of the properties that a plan removes or converts, if any of them has stored values. */
export async function startValueRemoval(
  scope: WriteScope,
  databaseId: string,
  { conversions }: SchemaPlan,
): Promise<void> {
  const hasOldValues = conversions.some(({ from }) => from.type === "unique_id" || !isComputedProperty(from));
  if (hasOldValues && (await hasMorePagesThan(scope, databaseId, 0))) {
    await requestValueRemoval(scope, databaseId);
  }
}
