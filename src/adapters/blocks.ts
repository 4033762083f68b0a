import type { BlocksHandlers } from "../../generated/routes.js";
import { appendBlockChildren } from "../operations/append-block-children.js";
import { deleteBlock } from "../operations/delete-block.js";
import { listBlockChildren } from "../operations/list-block-children.js";
import { retrieveBlock } from "../operations/retrieve-block.js";
import type { WriteScope } from "../operations/execution/scope.js";
import { updateBlock } from "../operations/update-block.js";
import type { HandlerContext, SuppliedHeaders } from "./context.js";
import { parsePagination } from "./parameters.js";
import { createListResponse, createResponse } from "./responses.js";

export const blocksHandlers: BlocksHandlers<HandlerContext, SuppliedHeaders> = {
  async retrieveBlock({ path }, { scope }) {
    return createResponse(await retrieveBlock(scope, path.block_id));
  },

  async deleteBlock(request, { write }) {
    const { block_id: id } = request.path;
    return write(request, async (scope) => createResponse(await deleteBlock(scope, id)), { mayGrow: false });
  },

  async updateBlock(request, { write }) {
    const { path, body } = request;
    const run = async (scope: WriteScope) => createResponse(await updateBlock(scope, path.block_id, body));
    return write(request, run, { objectId: path.block_id });
  },

  async listBlockChildren({ path, query }, { scope, requestId }) {
    const list = await listBlockChildren(scope, path.block_id, parsePagination(query));
    return createListResponse(requestId, list, { type: "block", block: {} });
  },

  async appendBlockChildren(request, { requestId, write }) {
    const { path, body } = request;
    return write(request, async (scope) => {
      const list = await appendBlockChildren(scope, path.block_id, body);
      return createListResponse(requestId, list, { type: "block", block: {} });
    });
  },
};
