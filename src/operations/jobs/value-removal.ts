import { MAX_BATCH_BYTES, MAX_BATCH_PAGES } from "../../budgets.js";
import { getIds } from "../../lists.js";
import type { ContentSize } from "../../storage/content-size.js";
import { findPageValuesAfter, updatePageValues } from "../../storage/page-values.js";
import { deletePropertyValues } from "../../storage/property-values.js";
import { BEFORE_FIRST_ID } from "../../storage/sql-helpers.js";
import type { JobType } from "./run-batch.js";

const BATCH_LIMIT: ContentSize = { count: MAX_BATCH_PAGES, bytes: MAX_BATCH_BYTES };

/** Removes the values of properties that are no longer in the schema. The state is the id of the last page of a batch. */
export const VALUE_REMOVAL: JobType<string> = {
  isForeground: false,
  async runBatch(scope, { objectId, propertyIds }, lastPageId = BEFORE_FIRST_ID) {
    const pages = await findPageValuesAfter(scope, objectId, lastPageId, BATCH_LIMIT);
    const removedIds = new Set(propertyIds);
    const changed = pages.flatMap(({ id, properties }) => {
      const entries = Object.entries(properties);
      const remaining = entries.filter(([propertyId]) => !removedIds.has(propertyId));
      if (remaining.length === entries.length) return [];
      return { id, json: JSON.stringify(Object.fromEntries(remaining)) };
    });
    await updatePageValues(scope, changed);
    const ids = getIds(pages);
    await deletePropertyValues(scope, ids, propertyIds);
    return { doneCount: pages.length, nextState: ids.at(-1) ?? null };
  },
};
