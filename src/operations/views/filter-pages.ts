import { MAX_FILTER_CONDITIONS } from "../../budgets.js";
import { findDatabase } from "../../storage/databases.js";
import { queryPages } from "../load/query-pages.js";
import type { ReadScope } from "../execution/scope.js";

/** Finds the pages of a related database whose title contains a text, at most one more than a filter can compare. */
export async function findFilterPages(
  scope: ReadScope,
  { databaseId, titlePart }: { databaseId: string; titlePart: string },
): Promise<readonly { readonly id: string }[]> {
  const database = await findDatabase(scope, databaseId);
  const title = database?.schema.definitions.find(({ type }) => type === "title");
  if (database === undefined || title === undefined) return [];
  const { elements } = await queryPages(scope, database, {
    filter: { property: title.name, title: { contains: titlePart } },
    pageSize: MAX_FILTER_CONDITIONS + 1,
    inTrash: false,
    now: Date.now(),
  });
  return elements;
}
