import type { UsersHandlers } from "../../generated/routes.js";
import { listUsers } from "../operations/list-users.js";
import { retrieveBotUser, retrieveUser } from "../operations/retrieve-user.js";
import type { HandlerContext, SuppliedHeaders } from "./context.js";
import { createListBody, parseListRange } from "./list.js";

/** Handlers of the operations on users. */
export const usersHandlers: UsersHandlers<HandlerContext, SuppliedHeaders> = {
  async listUsers({ query }, { scope, requestId }) {
    const list = await listUsers(scope, parseListRange(query));
    return { status: 200, body: { ...createListBody(requestId, list), type: "user", user: {} } };
  },

  async retrieveBotUser(_request, { scope }) {
    return { status: 200, body: await retrieveBotUser(scope) };
  },

  async retrieveUser({ path }, { scope }) {
    return { status: 200, body: await retrieveUser(scope, path.user_id) };
  },
};
