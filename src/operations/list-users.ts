import type { Schemas } from "../domain/api-schemas.js";
import { findUsersAfter } from "../storage/users.js";
import { type Pagination, type ListResult, readListPart } from "./load/list-parts.js";
import { presentUser } from "./present/user.js";
import type { ReadScope } from "./execution/scope.js";

/** Lists the users of the workspace, oldest first. Throws a DomainError (invalid_cursor). */
export async function listUsers(
  scope: ReadScope,
  pagination: Pagination,
): Promise<ListResult<Schemas["User"]>> {
  const { elements, nextCursor } = await readListPart("users", pagination, (after, limit) =>
    findUsersAfter(scope, after, limit),
  );
  return { results: elements.map((user) => presentUser(scope, user)), nextCursor };
}
