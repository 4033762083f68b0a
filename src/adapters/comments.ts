import type { CommentsHandlers } from "../../generated/routes.js";
import { createComment } from "../operations/create-comment.js";
import { listComments } from "../operations/comments.js";
import type { HandlerContext, SuppliedHeaders } from "./context.js";
import { parsePagination } from "./parameters.js";
import { createListResponse, createResponse } from "./responses.js";

export const commentsHandlers: CommentsHandlers<HandlerContext, SuppliedHeaders> = {
  async listComments({ query }, { scope, requestId }) {
    const list = await listComments(scope, query.block_id, parsePagination(query));
    return createListResponse(requestId, list, { type: "comment", comment: {} });
  },

  async createComment(request, { write }) {
    return write(request, async (scope) => createResponse(await createComment(scope, request.body)));
  },
};
