import { MAX_FILTER_CONDITIONS, MAX_SUGGESTED_OPTIONS } from "../../budgets.js";
import type { User } from "../../domain/user.js";
import { getIds } from "../../lists.js";
import { BEFORE_FIRST_ID } from "../../storage/sql-helpers.js";
import { findUsersAfter, findUsersByName } from "../../storage/users.js";
import type { ReadScope } from "../execution/scope.js";

/**
 * Reads the users whom the filter of a table knows: first the oldest ones of the workspace, then others with the name that it
 * compares. Of those with the same name it reads at least one more than a filter can compare.
 */
export async function findFilterUsers(scope: ReadScope, name: string | undefined): Promise<User[]> {
  const oldest = await findUsersAfter(scope, BEFORE_FIRST_ID, MAX_SUGGESTED_OPTIONS);
  if (name === undefined || oldest.length < MAX_SUGGESTED_OPTIONS) return oldest;
  const knownIds = new Set(getIds(oldest));
  const namesakes = await findUsersByName(scope, name, MAX_FILTER_CONDITIONS + 1);
  return [...oldest, ...namesakes.filter(({ id }) => !knownIds.has(id))];
}
