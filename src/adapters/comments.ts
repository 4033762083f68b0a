import type { CommentsHandlers } from "../../generated/routes.js";
import { createComment } from "../operations/create-comment.js";
import { listComments } from "../operations/list-comments.js";
import type { HandlerContext, SuppliedHeaders } from "./context.js";
import { createListBody, parseListRange } from "./list.js";

/** Handlers of the operations on comments. */
export const commentsHandlers: CommentsHandlers<HandlerContext, SuppliedHeaders> = {
  async listComments({ query }, { scope, requestId }) {
    const list = await listComments(scope, query.block_id, parseListRange(query));
    return { status: 200, body: { ...createListBody(requestId, list), type: "comment", comment: {} } };
  },

  async createComment(request, { write }) {
    return write(request, async (scope) => ({
      status: 200,
      body: await createComment(scope, request.body),
    }));
  },
};
