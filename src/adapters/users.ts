import type { UsersHandlers } from "../../generated/routes.js";
import type { Context, SuppliedHeaders } from "./context.js";

/** The operations on users. */
export function usersHandlers(): UsersHandlers<Context, SuppliedHeaders> {
  return {
    /** GET /v1/users: List the users */
    async listUsers(_request, _context) {
      throw Object.assign(new Error("listUsers is not implemented"), { status: 501 });
    },

    /** GET /v1/users/me: Retrieve the bot of the API key */
    async retrieveBotUser(_request, _context) {
      throw Object.assign(new Error("retrieveBotUser is not implemented"), { status: 501 });
    },

    /** GET /v1/users/{user_id}: Retrieve a user */
    async retrieveUser(_request, _context) {
      throw Object.assign(new Error("retrieveUser is not implemented"), { status: 501 });
    },
  };
}
