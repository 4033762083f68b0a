import type { SchemaPlan } from "../../domain/properties/schema-plan.js";
import { raiseLastUniqueNumber } from "../../storage/databases.js";
import { requestValueRemoval } from "../../storage/jobs.js";
import { hasMorePagesThan } from "../../storage/pages.js";
import { findPageValuesAfter } from "../../storage/page-values.js";
import type { WriteScope } from "../scope.js";
import { LargeConversionRequiredError } from "./large-conversion.js";
import { haveSameConversions, findNewValues, PageConverter } from "./page-converter.js";

/**
 * Converts the values of all pages of a database, including pages in the trash, and numbers the pages if the plan adds a
 * unique_id property. If a large conversion has run before this transaction, finishes it. Returns undefined when the plan
 * converts nothing. Throws a LargeConversionRequiredError when the pages do not fit into one batch, or when the large conversion
 * was for other properties.
 */
export async function convertValues(
  scope: WriteScope,
  databaseId: string,
  plan: SchemaPlan,
): Promise<PageConverter | undefined> {
  const { largeConversion } = scope;
  const newValues = findNewValues(plan);
  if (largeConversion !== undefined) {
    if (haveSameConversions(largeConversion.newValues, newValues)) return largeConversion.finish(scope);
    throw new LargeConversionRequiredError(databaseId, newValues);
  }
  if (newValues.conversions.length === 0 && newValues.newUniqueId === null) return undefined;
  const converter = await PageConverter.create(scope, databaseId, newValues);
  const pages = await findPageValuesAfter(scope, databaseId, "", converter.batchLimit);
  if (await hasMorePagesThan(scope, databaseId, pages.length)) {
    throw new LargeConversionRequiredError(databaseId, newValues);
  }
  const lastNumber = await converter.convertPages(scope, pages);
  await raiseLastUniqueNumber(scope, databaseId, lastNumber);
  return converter;
}

/** Inserts a job that removes the old values of the properties that a plan removes or converts. */
export async function removeOldValues(
  scope: WriteScope,
  databaseId: string,
  { conversions }: SchemaPlan,
): Promise<void> {
  const propertyIds = conversions.map(({ from }) => from.id);
  if (propertyIds.length > 0 && (await hasMorePagesThan(scope, databaseId, 0))) {
    await requestValueRemoval(scope, databaseId, propertyIds);
  }
}
