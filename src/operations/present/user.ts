import type { Schemas } from "../../domain/api-schemas.js";
import type { User } from "../../domain/user.js";
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
