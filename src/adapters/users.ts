import type { components } from "../../generated/types.js";
import type { UsersHandlers } from "../../generated/routes.js";
import { notFound } from "../domain/errors.js";
import { requireId } from "../domain/ids.js";
import { formatListCursor, parseListCursor } from "../domain/list-cursor.js";
import type { User } from "../domain/user.js";
import type { Store } from "../storage/store.js";
import { findUser, listUsers } from "../storage/users.js";
import type { Context, SuppliedHeaders } from "./context.js";
import { listBody, pageWanted } from "./paging.js";

/** What the cursors of the list of users are for. */
const LIST = "users";

/** The operations on users. */
export function usersHandlers(store: Store): UsersHandlers<Context, SuppliedHeaders> {
  return {
    async listUsers({ query }, { principal, requestId }) {
      const { workspaceId, workspaceName } = principal;
      const { cursor, size } = pageWanted(query);
      const after = cursor === undefined ? undefined : parseListCursor(LIST, cursor);
      const found = await listUsers(store.read, workspaceId, after, size + 1);
      const list = listBody(
        requestId,
        found,
        size,
        (last) => formatListCursor(LIST, last.id),
        (user) => renderUser(user, workspaceName),
      );
      return { status: 200, body: { ...list, type: "user", user: {} } };
    },

    async retrieveBotUser(_request, { principal }) {
      const bot = await findUser(store.read, principal.workspaceId, principal.keyId);
      if (!bot) throw new Error("the key of the request has no bot");
      return { status: 200, body: renderBot(bot, principal.workspaceName) };
    },

    async retrieveUser({ path }, { principal }) {
      const id = requireId(path.user_id);
      const user = await findUser(store.read, principal.workspaceId, id);
      if (!user) throw notFound("user", id);
      return { status: 200, body: renderUser(user, principal.workspaceName) };
    },
  };
}

/**
 * Makes what responses show of a user.
 *
 * @param workspaceName The name of the user's workspace.
 */
export function renderUser(user: User, workspaceName: string): components["schemas"]["User"] {
  if (user.type === "bot") return renderBot(user, workspaceName);
  return {
    ...common(user),
    type: "person",
    person: user.email === null ? {} : { email: user.email },
  };
}

function renderBot(user: User, workspaceName: string): components["schemas"]["BotUser"] {
  return {
    ...common(user),
    type: "bot",
    bot: { owner: { type: "workspace", workspace: true }, workspace_name: workspaceName },
  };
}

function common(user: User): { object: "user"; id: string; name: string; avatar_url: string | null } {
  return { object: "user", id: user.id, name: user.name, avatar_url: user.avatarUrl };
}
