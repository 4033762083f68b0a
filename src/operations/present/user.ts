import type { Schemas } from "../../domain/api-schemas.js";
import type { Page } from "../../domain/page.js";
import { getUserIds } from "../../domain/properties/response-values.js";
import type { PropertyDefinition } from "../../domain/schema.js";
import type { User } from "../../domain/user.js";
import { findUsers } from "../../storage/users.js";
import type { Scope } from "../execution/scope.js";

/** Converts a person or bot to a response body. */
export function presentUser(scope: Scope, user: User): Schemas["User"] {
  if (user.type === "bot") return presentBot(scope, user);
  return {
    ...presentCommonFields(user),
    type: "person",
    person: user.email === null ? {} : { email: user.email },
  };
}

export function presentBot({ principal }: Scope, user: User): Schemas["BotUser"] {
  return {
    ...presentCommonFields(user),
    type: "bot",
    bot: { owner: { type: "workspace", workspace: true }, workspace_name: principal.workspaceName },
  };
}

function presentCommonFields({ id, name, avatarUrl }: User) {
  return { object: "user" as const, id, name, avatar_url: avatarUrl };
}

/** Reads the users in the values of properties, and returns their response bodies by id. Removed users have none. */
export async function loadUsers(
  scope: Scope,
  pages: readonly Page[],
  properties: readonly PropertyDefinition[],
): Promise<ReadonlyMap<string, Schemas["User"]>> {
  const ids = properties.flatMap((property) => pages.flatMap((page) => getUserIds(property, page)));
  const found = await findUsers(scope, [...new Set(ids)]);
  return new Map(found.map((user) => [user.id, presentUser(scope, user)]));
}
