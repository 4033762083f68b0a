import type { Schemas } from "../domain/api-schemas.js";
import { createNotFoundError } from "../domain/errors.js";
import { normalizeId } from "../domain/ids.js";
import { findUser } from "../storage/users.js";
import { presentBot, presentUser } from "./present/user.js";
import type { ReadScope } from "./execution/scope.js";

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
