import type { CommentsHandlers } from "../../generated/routes.js";
import type { Context, SuppliedHeaders } from "./context.js";

export function commentsHandlers(): CommentsHandlers<Context, SuppliedHeaders> {
  return {
    /** GET /v1/comments: List comments */
    async listComments(_request, _context) {
      throw Object.assign(new Error("listComments is not implemented"), { status: 501 });
    },

    /** POST /v1/comments: Create a comment */
    async createComment(_request, _context) {
      throw Object.assign(new Error("createComment is not implemented"), { status: 501 });
    },
  };
}
