import type { Schemas } from "../domain/api-schemas.js";
import { createNotFoundError } from "../domain/errors.js";
import { normalizeId } from "../domain/ids.js";
import { findUser, findUsersAfter } from "../storage/users.js";
import { type Pagination, type ListResult, readListPart } from "./load/list-parts.js";
import { presentBot, presentUser } from "./present/user.js";
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

/** Retrieves a user of the workspace. Throws a DomainError (not_found). */
export async function retrieveUser(scope: ReadScope, userId: string): Promise<Schemas["User"]> {
  const id = normalizeId(userId);
  const user = await findUser(scope, id);
  if (user === undefined) throw createNotFoundError("user", id);
  return presentUser(scope, user);
}

/** Retrieves the bot user of the API key that sends the request. */
export async function retrieveBotUser(scope: ReadScope): Promise<Schemas["BotUser"]> {
  const bot = await findUser(scope, scope.principal.userId);
  if (bot === undefined)
    throw new Error(`The API key ${scope.principal.userId} has no bot user in the table users.`);
  return presentBot(scope, bot);
}
