import type { UsersHandlers } from "../../generated/routes.js";
import { listUsers, retrieveBotUser, retrieveUser } from "../operations/users.js";
import type { HandlerContext, SuppliedHeaders } from "./context.js";
import { parsePagination } from "./parameters.js";
import { createListResponse, createResponse } from "./responses.js";

export const usersHandlers: UsersHandlers<HandlerContext, SuppliedHeaders> = {
  async listUsers({ query }, { scope, requestId }) {
    const list = await listUsers(scope, parsePagination(query));
    return createListResponse(requestId, list, { type: "user", user: {} });
  },

  async retrieveBotUser(_request, { scope }) {
    return createResponse(await retrieveBotUser(scope));
  },

  async retrieveUser({ path }, { scope }) {
    return createResponse(await retrieveUser(scope, path.user_id));
  },
};
