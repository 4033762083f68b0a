import { MAX_FILTER_CONDITIONS, MAX_SUGGESTED_OPTIONS } from "../../budgets.js";
import { toStorableText } from "../../domain/text.js";
import type { User } from "../../domain/user.js";
import { getIds } from "../../lists.js";
import { findDatabase } from "../../storage/databases/databases.js";
import { BEFORE_FIRST_ID } from "../../storage/sql-helpers.js";
import { findUsersAfter, findUsersByName } from "../../storage/users.js";
import type { ReadScope } from "../execution/scope.js";
import { queryPages } from "../load/query-pages.js";

/* Reads of the users and pages whose names the filter of a table can compare. */

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

/**
 * Reads the users whom the filter of a table knows: first the oldest ones of the workspace, then others with the name that it
 * compares. Of those with the same name it reads at least one more than a filter can compare.
 */
export async function findFilterUsers(scope: ReadScope, name: string | undefined): Promise<User[]> {
  const oldest = await findUsersAfter(scope, BEFORE_FIRST_ID, MAX_SUGGESTED_OPTIONS);
  if (name === undefined || oldest.length < MAX_SUGGESTED_OPTIONS) return oldest;
  const knownIds = new Set(getIds(oldest));
  const namesakes = await findUsersByName(scope.scanScope, toStorableText(name), MAX_FILTER_CONDITIONS + 1);
  return [...oldest, ...namesakes.filter(({ id }) => !knownIds.has(id))];
}
